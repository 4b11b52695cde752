#pragma once

#include <vector>

#include "table/frame.hpp"

namespace kore::table {

/// The summary of every column, from which an encoding is decided; `categorical` has one entry per column.
/// Throws `invalid_data` where a number is infinite. Threads share the columns.
std::vector<ColumnSummary> summarize(const Frame& frame, const std::vector<bool>& categorical, int threads);

}  // namespace kore::table
