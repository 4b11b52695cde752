#include "kore/options.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"

namespace kore::python {

/// Every option that Python sets has one line here, under the name of the C++ header, which explains it.
void bind_options(nb::module_& module) {
  nb::enum_<StructureChoice>(module, "StructureChoice")
      .value("automatic", StructureChoice::automatic)
      .value("additive", StructureChoice::additive)
      .value("pairwise", StructureChoice::pairwise);
  nb::enum_<PairChoice>(module, "PairChoice")
      .value("automatic", PairChoice::automatic)
      .value("all", PairChoice::all)
      .value("none", PairChoice::none)
      .value("given", PairChoice::given)
      .value("discover", PairChoice::discover);
  nb::class_<Options>(module, "Options", "Everything that can be set about a fit.")
      .def(nb::init<>())
      .def_static("paper", &Options::paper)
      .def_rw("degree", &Options::degree)
      .def_rw("structure", &Options::structure)
      .def_rw("pair_choice", &Options::pair_choice)
      .def_rw("pairs", &Options::pairs)
      .def_rw("max_resolution_additive", &Options::max_resolution_additive)
      .def_rw("max_resolution_pairwise", &Options::max_resolution_pairwise)
      .def_rw("max_order", &Options::max_order)
      .def_rw("structure_rows", &Options::structure_rows)
      .def_rw("radius_additive", &Options::radius_additive)
      .def_rw("radius_pairwise", &Options::radius_pairwise)
      .def_rw("ridge", &Options::ridge)
      .def_rw("relative_ridge", &Options::relative_ridge)
      .def_rw("threads", &Options::threads)
      .def("check", &Options::check, nb::arg("features"), "Refuses what no fit to so many features can use.");
}

}  // namespace kore::python
