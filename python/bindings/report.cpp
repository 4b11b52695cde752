#include "report/model_report.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "table/encode_frame.hpp"

namespace kore::python {
namespace {

/// A report without rows.
void write_report(const table::TableModel& model, const std::string& path) {
  const nb::gil_scoped_release unlocked;
  report::write_report({model}, path);
}

/// The same with the errors on the rows of a table.
void write_report_on(const table::TableModel& model, const table::Frame& frame, const DenseNumbers& y,
                     const std::optional<DenseNumbers>& weights, const std::string& path, int threads) {
  const nb::gil_scoped_release unlocked;
  const table::EncodedFrame encoded = table::encode(frame, model.encoding);
  const MemorySource source(encoded.x, span_of(y), span_of(weights));
  const report::Observed observed = report::observe(source, model.model, threads);
  report::write_report({model, &observed}, path);
}

}  // namespace

void bind_report(nb::module_& module) {
  module.def("write_report", &write_report, nb::arg("model"), nb::arg("path"));
  module.def("write_report_on", &write_report_on, nb::arg("model"), nb::arg("frame"), nb::arg("y"),
             nb::arg("weights").none(), nb::arg("path"), nb::arg("threads"));
}

}  // namespace kore::python
