#include "kore/options.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "fit/option_records.hpp"

namespace kore::python {
namespace {

void bind_records(nb::module_& module) {
  nb::class_<OptionRecord>(module, "OptionRecord", "What an option may be.")
      .def_prop_ro("name", [](const OptionRecord& record) { return std::string(record.name); })
      .def_prop_ro(
          "type", [](const OptionRecord& record) { return std::string(type_word(record.type)); },
          "'integer', 'number', 'choice' or 'other'")
      .def_prop_ro("choices",
                   [](const OptionRecord& record) {
                     return std::vector<std::string>(record.choices.begin(), record.choices.end());
                   })
      .def_prop_ro(
          "allowed", [](const OptionRecord& record) { return allowed_values(record); },
          "As it stands in 'it must be ...'.")
      .def(
          "in_range", [](const OptionRecord& record, double value) { return in_range(record, value); },
          nb::arg("value"));
  module.def(
      "option_record", [](const std::string& name) -> const OptionRecord& { return option_record(name); },
      nb::arg("name"), nb::rv_policy::reference, "The record of an option by its name in the C++ header.");
}

}  // namespace

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
  nb::enum_<Loss>(module, "Loss").value("squared", Loss::squared).value("robust", Loss::robust);
  nb::enum_<Family>(module, "Family")
      .value("normal", Family::normal)
      .value("binomial", Family::binomial)
      .value("poisson", Family::poisson)
      .value("gamma", Family::gamma)
      .value("negative_binomial", Family::negative_binomial);
  nb::enum_<TargetScale>(module, "TargetScale")
      .value("automatic", TargetScale::automatic)
      .value("identity", TargetScale::identity)
      .value("square_root", TargetScale::square_root)
      .value("logarithm", TargetScale::logarithm);
  nb::class_<GrownOptions>(module, "GrownOptions", "Of the default method.")
      .def_rw("max_order", &GrownOptions::max_order)
      .def_rw("target_scale", &GrownOptions::target_scale)
      .def_rw("structure_rows", &GrownOptions::structure_rows)
      .def_rw("loss", &GrownOptions::loss)
      .def_rw("simplest", &GrownOptions::simplest)
      .def_rw("max_terms", &GrownOptions::max_terms)
      .def_rw("family", &GrownOptions::family)
      .def_rw("dispersion", &GrownOptions::dispersion);
  nb::class_<PublishedOptions>(module, "PublishedOptions", "Of the published method.")
      .def_rw("radius_additive", &PublishedOptions::radius_additive)
      .def_rw("radius_pairwise", &PublishedOptions::radius_pairwise);
  nb::class_<Options>(module, "Options", "Everything that can be set about a fit.")
      .def(nb::init<>())
      .def_static("paper", &Options::paper)
      .def_prop_ro("is_published", &Options::is_published)
      .def_prop_ro(
          "grown", [](Options& options) -> GrownOptions& { return options.grown(); },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "published", [](Options& options) -> PublishedOptions& { return options.published(); },
          nb::rv_policy::reference_internal)
      .def_rw("degree", &Options::degree)
      .def_rw("structure", &Options::structure)
      .def_rw("pair_choice", &Options::pair_choice)
      .def_rw("pairs", &Options::pairs)
      .def_rw("max_columns", &Options::max_columns)
      .def_rw("max_resolution_additive", &Options::max_resolution_additive)
      .def_rw("max_resolution_pairwise", &Options::max_resolution_pairwise)
      .def_rw("ridge", &Options::ridge)
      .def_rw("relative_ridge", &Options::relative_ridge)
      .def_rw("threads", &Options::threads)
      .def("check", &Options::check, nb::arg("features"), "Refuses what no fit to so many features can use.");
  bind_records(module);
}

}  // namespace kore::python
