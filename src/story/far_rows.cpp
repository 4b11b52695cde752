#include "story/far_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "story/column_text.hpp"
#include "story/text.hpp"

namespace kore::story {
namespace {

constexpr double far = 0.1;  // of the range

}  // namespace

FarRows::FarRows(const table::TableModel& fitted)
    : fitted_(fitted), columns_(fitted.model.design.features().size()) {}

void FarRows::add(const MatrixView& x) {
  std::vector<bool> is_far(x.rows());
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const Feature& feature = fitted_.model.design.features()[j];
    const Range& range = feature.range;
    const double length = range.highest - range.lowest;
    // Levels have no distance, and a constant column has no effect.
    if (feature.kind == FeatureKind::category || length == 0) continue;
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const double value = x(r, j);
      const double distance = std::max(range.lowest - value, value - range.highest) / length;
      if (!(distance > far)) continue;
      is_far[r] = true;
      Column& column = columns_[j];
      ++column.rows;
      if (distance > column.distance) {
        column.distance = distance;
        column.furthest = value;
      }
    }
  }
  rows_ += static_cast<std::uint64_t>(std::count(is_far.begin(), is_far.end(), true));
}

std::string FarRows::warning() const {
  if (rows_ == 0) return {};
  const auto worst = std::ranges::max_element(
      columns_, {}, [](const Column& column) { return std::tuple(column.rows, column.distance); });
  const auto j = static_cast<std::size_t>(worst - columns_.begin());
  const table::EncodedColumn& column = fitted_.encoding.columns[fitted_.encoding.features[j].column];
  const Range& range = fitted_.model.design.features()[j].range;
  return fmt::format(
      "{} {} far outside the range of training, where predictions are guesses. The worst column is '{}': {}, "
      "the furthest at {}, where training had {} to {}.",
      counted(rows_, "row"), rows_ == 1 ? "lies" : "lie", fitted_.model.design.features()[j].name,
      counted(worst->rows, "row"), column_text(column, worst->furthest), column_text(column, range.lowest),
      column_text(column, range.highest));
}

}  // namespace kore::story
