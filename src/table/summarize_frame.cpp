#include "table/summarize_frame.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "table/level_counts.hpp"
#include "table/refusals.hpp"

namespace kore::table {
namespace {

/// The middle value, or the point between the two in the middle. Changes the order of the values. (Of zeros
/// with both signs it may find either; the sum has none.)
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle + 0.0;
  const double lower = *std::max_element(values.begin(), middle);
  return (lower == *middle ? lower : lower + (*middle - lower) / 2) + 0.0;
}

void summarize_numbers(const Column& column, std::size_t rows, ColumnSummary& summary) {
  std::vector<double> values;
  values.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    if (!std::isnan(column.numbers[row])) values.push_back(column.numbers[row]);
  summary.missing = rows - values.size();
  if (values.empty()) return;
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  summary.minimum = *lowest;
  summary.maximum = *highest;
  if (std::isinf(summary.minimum) || std::isinf(summary.maximum)) refuse_infinity(column.name);
  summary.two_values = summary.minimum < summary.maximum &&
                       std::none_of(values.begin(), values.end(), [&summary](double value) {
                         return value > summary.minimum && value < summary.maximum;
                       });
  summary.whole = std::ranges::all_of(values, [](double value) { return value == std::trunc(value); });
  summary.median = median_of(values);
}

void summarize_texts(const Column& column, ColumnSummary& summary) {
  std::vector<std::uint64_t> counts(column.dictionary.size());
  for (const std::int32_t code : column.codes) {
    if (code < 0)
      ++summary.missing;
    else
      ++counts[static_cast<std::size_t>(code)];
  }
  for (std::size_t d = 0; d < counts.size(); ++d)
    if (counts[d] > 0) count_level(summary, {std::string(column.dictionary[d]), counts[d]});
}

}  // namespace

std::vector<ColumnSummary> summarize(const Frame& frame, const std::vector<bool>& categorical, int threads) {
  std::vector<ColumnSummary> summaries(frame.columns.size());
  parallel_for(frame.columns.size(), threads, [&](std::size_t c) {
    const Column& column = frame.columns[c];
    ColumnSummary& summary = summaries[c];
    summary.name = column.name;
    summary.type = column.type;
    summary.categorical = categorical[c] || column.declared_category;
    summary.rows = frame.rows;
    if (summary.is_category())
      summarize_texts(as_texts(column, frame.rows), summary);
    else
      summarize_numbers(column, frame.rows, summary);
  });
  return summaries;
}

}  // namespace kore::table
