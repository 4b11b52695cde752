#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "bindings/words.hpp"
#include "kore/error.hpp"
#include "kore/version.hpp"

namespace kore::python {
namespace {

/// What scikit-learn raises in such a case.
PyObject* exception_for(ErrorCode code) { return code == ErrorCode::io ? PyExc_OSError : PyExc_ValueError; }

/// Programs read `reason` and `arguments` of the exception instead of its sentence.
void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::handle type = exception_for(error.code());
    const nb::object exception = type(worded(error.message()));
    nb::dict arguments;
    for (const Argument& argument : error.message().arguments())
      arguments[argument.name.c_str()] = argument.value;
    exception.attr("reason") = error.reason();
    exception.attr("arguments") = arguments;
    PyErr_SetObject(type.ptr(), exception.ptr());
  }
}

}  // namespace
}  // namespace kore::python

NB_MODULE(_engine, module) {
  using namespace kore::python;
  module.doc() = "The engine of KORE. Use the estimators of the package instead.";
  module.attr("version") = kore::version;
  nb::register_exception_translator(translate);
  bind_frame(module);
  bind_options(module);
  bind_model(module);
  bind_classes(module);
  bind_training(module);
  bind_chunks(module);
  bind_distributed(module);
  bind_ladder(module);
  bind_report(module);
}
