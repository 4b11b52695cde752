#pragma once

#include <span>
#include <string>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/rows.hpp"

namespace kore::table {

/// A sentence for every column that repeats another one in all rows, which makes their effects impossible to
/// tell apart. Reads the rows only where the summaries leave it possible.
std::vector<std::string> equal_column_notes(std::span<const ColumnSummary> columns, const Encoding& encoding,
                                            const RowSource& rows);

}  // namespace kore::table
