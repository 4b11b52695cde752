#pragma once

#include <span>
#include <string>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/rows.hpp"

namespace kore::table {

/// A sentence for every column that equals another one in all rows: the effects of the two cannot be told
/// apart. Reads the rows only where the summaries do not rule it out.
std::vector<std::string> equal_column_notes(std::span<const ColumnSummary> columns, const Encoding& encoding,
                                            const RowSource& rows);

}  // namespace kore::table
