#include "table/level_limits.hpp"

#include <algorithm>
#include <functional>

namespace kore::table {
namespace {

/// From two rows an effect can hardly be told from noise; from three it pays (docs/default-profile.md).
constexpr std::uint64_t fewest_rows = 3;

/// The rows of the levels beyond those that are always kept and that have rows enough, the most first.
std::vector<std::uint64_t> further_levels(const ColumnSummary& column) {
  std::vector<std::uint64_t> rows;
  for (const Level& level : column.levels) rows.push_back(level.rows);
  std::ranges::sort(rows, std::greater());
  rows.erase(rows.begin(),
             rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), levels_always_kept)));
  rows.erase(std::ranges::find_if(rows, [](std::uint64_t count) { return count < fewest_rows; }), rows.end());
  return rows;
}

}  // namespace

std::vector<std::size_t> level_limits(std::span<const ColumnSummary> columns,
                                      const EncodingOptions& options) {
  std::vector<std::size_t> limits(columns.size());
  std::vector<std::pair<std::uint64_t, std::size_t>> further;  // rows of a level, and its column
  std::size_t kept = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].is_category()) continue;
    limits[c] = options.max_levels.value_or(levels_always_kept);
    kept += std::min(limits[c], columns[c].levels.size());
    for (const std::uint64_t rows : further_levels(columns[c])) further.emplace_back(rows, c);
  }
  if (options.max_levels) return limits;
  // Of levels with equally many rows, those of the first column.
  std::ranges::stable_sort(further, std::greater(), &std::pair<std::uint64_t, std::size_t>::first);
  further.resize(std::min(further.size(), options.most_levels - std::min(options.most_levels, kept)));
  for (const auto& [rows, column] : further) ++limits[column];
  return limits;
}

}  // namespace kore::table
