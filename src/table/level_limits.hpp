#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/encoding.hpp"

namespace kore::table {

/// So many levels of a category always have an effect of their own, the most frequent ones.
inline constexpr std::size_t levels_always_kept = 50;

/// How many levels of each column have an effect of their own; 0 for numbers. Where the options do not say, a
/// level beyond the 50 most frequent needs three rows, because its effect is shrunk towards the mean and
/// costs a column. If all such levels are more than the options allow, those with the most rows have it, of
/// whatever column.
std::vector<std::size_t> level_limits(std::span<const ColumnSummary> columns, const EncodingOptions& options);

}  // namespace kore::table
