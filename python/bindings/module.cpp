#include "bindings/bindings.hpp"
#include "bindings/words.hpp"
#include "kore/error.hpp"
#include "kore/version.hpp"

namespace kore::python {
namespace {

/// What scikit-learn raises in such a case.
PyObject* exception_for(ErrorCode code) { return code == ErrorCode::io ? PyExc_OSError : PyExc_ValueError; }

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(exception_for(error.code()), in_words_of_python(error.what()).c_str());
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
  bind_training(module);
  bind_chunks(module);
  bind_distributed(module);
  bind_ladder(module);
  bind_report(module);
}
