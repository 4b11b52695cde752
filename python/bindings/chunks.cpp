#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/curve_choices.hpp"
#include "bindings/pieces.hpp"
#include "bindings/preparation.hpp"
#include "kore/error.hpp"
#include "table/encode_frame.hpp"
#include "table/running_summary.hpp"

namespace kore::python {
namespace {

using table::TablePiece;

/// Rows that Python reads again for every pass. Memory does not depend on their number.
class ChunkedRows final : public RowSource {
 public:
  ChunkedRows(const nb::object& read, const table::Encoding& encoding, const table::TableSummary& summary)
      : read_(read), encoding_(encoding), rows_(summary.rows), weight_factor_(summary.weight_factor) {}

  std::size_t columns() const override { return encoding_.features.size(); }

  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override {
    const nb::gil_scoped_acquire locked;
    std::uint64_t seen = 0;
    for_each_piece(read_(), [&](const TablePiece& piece) {
      seen += piece.frame.rows;
      if (seen > rows_) refuse(seen);
      if (piece.frame.rows == 0) return;
      const table::EncodedFrame encoded = table::encode(piece.frame, encoding_);
      const table::ScaledWeights weights(piece.weights, weight_factor_);
      visit({encoded.x, piece.y, weights.values(), piece.groups});
    });
    if (seen != rows_) refuse(seen);
  }

 private:
  /// A model made from passes over different rows would be meaningless.
  [[noreturn]] void refuse(std::uint64_t seen) const {
    throw Error(
        ErrorCode::invalid_data, "table_changed",
        "The chunks had {rows} rows when they were read first and {later} later. They are read several "
        "times and must be the same every time.",
        {{"rows", rows_}, {"later", seen > rows_ ? "more" : std::to_string(seen)}});
  }

  const nb::object& read_;
  const table::Encoding& encoding_;
  std::uint64_t rows_;
  double weight_factor_;
};

/// A table that is read in pieces, ready for a fit.
class ChunkedTraining : public Preparation {
 public:
  ChunkedTraining(nb::object read, const std::string& target, const std::string& profile,
                  const std::vector<bool>& categorical, std::optional<std::size_t> max_levels,
                  bool precisions)
      : Preparation(target, profile, max_levels), read_(std::move(read)) {
    const PhaseTimer timer(phases(), "reading");
    table::RunningSummary summary(categorical);
    for_each_piece(read_(), [&](const TablePiece& piece) { summary.add(piece.frame, piece.weights); });
    summary.begin_medians();
    while (summary.wants_medians()) {
      for_each_piece(read_(), [&](const TablePiece& piece) { summary.add_to_medians(piece.frame); });
      summary.end_median_pass();
    }
    table::TableSummary found;
    found.rows = summary.rows();
    found.precisions = precisions;
    if (precisions) found.weight_factor = summary.precisions().factor();
    found.columns = summary.finish();
    prepare(std::move(found));
  }

  table::TableModel fit(const Options& options, const std::string& origin, const nb::object& progress) const {
    return fit_rows(ChunkedRows(read_, encoding(), summary()), options, origin, progress);
  }

 private:
  nb::object read_;
};

}  // namespace

void bind_chunks(nb::module_& module) {
  auto bound =
      nb::class_<ChunkedTraining>(
          module, "ChunkedTraining",
          "A table in pieces: `read()` gives (frame, y, weights, groups) one after the other. "
          "With `precisions`, the weights are precisions.")
          .def(nb::init<nb::object, const std::string&, const std::string&, const std::vector<bool>&,
                        std::optional<std::size_t>, bool>(),
               nb::arg("read"), nb::arg("target"), nb::arg("profile"), nb::arg("categorical"),
               nb::arg("max_levels") = nb::none(), nb::arg("precisions") = false)
          .def_prop_ro("warnings", [](const ChunkedTraining& training) { return training.warnings(); })
          .def(
              "feature_pairs",
              [](const ChunkedTraining& training,
                 const std::vector<std::pair<std::string, std::string>>& columns) {
                return training.feature_pairs(columns);
              },
              nb::arg("columns"))
          .def("fit", &ChunkedTraining::fit, nb::arg("options"), nb::arg("origin"),
               nb::arg("progress").none());
  bind_curve_choices(bound);
}

}  // namespace kore::python
