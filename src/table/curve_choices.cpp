#include "table/curve_choices.hpp"

#include <algorithm>

#include "kore/error.hpp"
#include "table/feature_options.hpp"

namespace kore::table {
namespace {

[[noreturn]] void refuse(std::string_view reason, std::string_view pattern, const std::string& column) {
  throw Error(ErrorCode::invalid_argument, reason, pattern, {{"column", column}});
}

void set_linear(Options& options, const Encoding& encoding, const std::string& column) {
  for (const std::size_t j : features_of(encoding, column)) {
    if (encoding.features[j].kind == EncodedKind::category ||
        encoding.features[j].kind == EncodedKind::indicator)
      refuse("linear_category",
             "Column '{column}' is a category, whose levels have no order for a straight line.", column);
    if (options.kinds.empty()) options.kinds.assign(encoding.features.size(), kore::FeatureKind::spline);
    options.kinds[j] = kore::FeatureKind::linear;
  }
}

/// The feature that is a curve of a column.
std::size_t curve_of(const Options& options, const Encoding& encoding, const std::string& column,
                     bool straightened) {
  for (const std::size_t j : features_of(encoding, column)) {
    if (encoding.features[j].kind != EncodedKind::numeric) continue;
    if (options.kinds.empty() || options.kinds[j] == kore::FeatureKind::spline) return j;
    if (straightened)
      refuse("line_and_curve",
             "Column '{column}' is to be a straight line, which has no resolution and does not meet itself.",
             column);
    refuse("two_values_no_curve", "Column '{column}' has two values, and no curve.", column);
  }
  refuse("category_no_curve", "Column '{column}' is a category, whose levels have no order for a curve.",
         column);
}

const ColumnSummary& summary_of(std::span<const ColumnSummary> columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &ColumnSummary::name);
  return found == columns.end() ? columns.front() : *found;  // every feature was made from a column
}

}  // namespace

double period_of(const ColumnSummary& column) {
  const bool counted = column.whole && (column.minimum == 0 || column.minimum == 1);
  if (!counted)
    refuse(
        "period_not_told",
        "The values of column '{column}' do not tell after how much they begin again, because they are not "
        "whole numbers that begin at 0 or 1, as hours and months are. Give the period: 360 of "
        "degrees, for example.",
        column.name);
  return column.maximum - column.minimum + 1;
}

void set_curves(Options& options, const Encoding& encoding, std::span<const ColumnSummary> columns,
                const CurveChoices& choices) {
  for (const std::string& column : choices.linear) set_linear(options, encoding, column);
  if (choices.cyclic.empty() && choices.max_resolutions.empty()) return;
  if (options.is_published())
    throw Error(ErrorCode::invalid_argument, "curves_of_another_profile",
                "Cyclic columns and a largest resolution of single columns belong to the default profile.");
  const auto curve = [&](const std::string& column) {
    return curve_of(options, encoding, column,
                    std::ranges::find(choices.linear, column) != choices.linear.end());
  };
  GrownOptions& grown = options.grown();
  if (!choices.cyclic.empty()) grown.periods.assign(encoding.features.size(), 0.0);
  for (const auto& [column, period] : choices.cyclic) {
    const std::size_t j = curve(column);
    const std::string& name = encoding.columns[encoding.features[j].column].name;
    grown.periods[j] = period > 0 ? period : period_of(summary_of(columns, name));
  }
  if (!choices.max_resolutions.empty()) grown.max_resolutions.assign(encoding.features.size(), 0);
  for (const auto& [column, resolution] : choices.max_resolutions)
    grown.max_resolutions[curve(column)] = resolution;
}

}  // namespace kore::table
