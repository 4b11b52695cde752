#pragma once

#include <span>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/message.hpp"
#include "kore/rows.hpp"

namespace kore::table {

/// A note for every column that equals another one in all rows: the effects of the two cannot be told
/// apart. Reads the rows only where the summaries do not rule it out.
std::vector<Message> equal_column_notes(std::span<const ColumnSummary> columns, const Encoding& encoding,
                                        const RowSource& rows);

}  // namespace kore::table
