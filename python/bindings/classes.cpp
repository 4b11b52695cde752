#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/atomic_file.hpp"
#include "bindings/bindings.hpp"
#include "table/training.hpp"

namespace kore::python {
namespace {

/// What joins the models of single classes.
struct JointClasses {
  ClassCoupling coupling;
  ClassAccuracy accuracy;
};

using Probabilities = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CoupledResult = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

JointClasses joined(std::vector<HeldOutRows> rows) {
  JointClasses joint;
  LeftOutClasses all{std::move(rows)};
  const nb::gil_scoped_release unlocked;
  // Rows of equal features may have been merged for one class and not for another; the shares are then
  // divided by their sum.
  if (!all.agree()) return joint;
  joint.coupling = solve_coupling(all);
  joint.accuracy = class_accuracy(all, joint.coupling);
  return joint;
}

/// A row for each row, a column for each class.
CoupledResult coupled(const JointClasses& joint, const Probabilities& shares) {
  const std::size_t rows = shares.shape(0);
  const std::size_t classes = shares.shape(1);
  auto values = std::make_unique<std::vector<double>>(shares.data(), shares.data() + rows * classes);
  for (std::size_t r = 0; r < rows; ++r)
    couple(joint.coupling, std::span(*values).subspan(r * classes, classes));
  double* data = values->data();
  nb::capsule owner(values.release(), [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return CoupledResult(data, {rows, classes}, owner);
}

using State = std::tuple<double, double, double, double, double, double, std::size_t>;

State state_of(const JointClasses& joint) {
  const ClassAccuracy& a = joint.accuracy;
  return {joint.coupling.yes, joint.coupling.no, a.log_loss, a.null_log_loss,
          a.error_rate,       a.null_error_rate, a.rows};
}

JointClasses from_state(const State& state) {
  JointClasses joint;
  ClassAccuracy& a = joint.accuracy;
  std::tie(joint.coupling.yes, joint.coupling.no, a.log_loss, a.null_log_loss, a.error_rate,
           a.null_error_rate, a.rows) = state;
  return joint;
}

void save_classes(const std::string& path, std::vector<std::string> classes,
                  std::vector<table::TableModel> models, const JointClasses& joint) {
  table::save(table::ClassModel{std::move(classes), std::move(models), joint.coupling, joint.accuracy}, path);
}

std::tuple<std::vector<std::string>, std::vector<table::TableModel>, JointClasses> load_classes(
    const std::string& path) {
  table::ClassModel model = table::load_class_model(path);
  return {std::move(model.classes), std::move(model.models), {model.coupling, model.accuracy}};
}

}  // namespace

void bind_classes(nb::module_& module) {
  nb::class_<HeldOutRows>(module, "HeldOutRows", "Rows with predictions that were made without them.");
  nb::class_<JointClasses>(module, "JointClasses", "What joins the models of single classes.")
      .def("couple", &coupled, nb::arg("shares"), "Probabilities of classes that add up to one in each row.")
      .def_prop_ro("exponents",
                   [](const JointClasses& j) { return std::pair(j.coupling.yes, j.coupling.no); })
      .def_prop_ro("rows", [](const JointClasses& j) { return j.accuracy.rows; })
      .def_prop_ro("log_loss", [](const JointClasses& j) { return j.accuracy.log_loss; })
      .def_prop_ro("error_rate", [](const JointClasses& j) { return j.accuracy.error_rate; })
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](JointClasses& joint, const State& state) { new (&joint) JointClasses(from_state(state)); });
  module.def("join_classes", &joined, nb::arg("held_out"));
  module.def("save_classes", &save_classes, nb::arg("path"), nb::arg("classes"), nb::arg("models"),
             nb::arg("joint"));
  module.def("load_classes", &load_classes, nb::arg("path"));
  module.def(
      "holds_classes", [](const std::string& path) { return table::holds_classes(read_file(path)); },
      nb::arg("path"), "Whether a file says that it is a model of several classes.");
}

}  // namespace kore::python
