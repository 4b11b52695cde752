#pragma once

#include <span>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/message.hpp"
#include "kore/rows.hpp"

namespace kore::table {

/// Whole numbers of three digits or more that are names, such as zip codes: rows with the same value are
/// alike, and rows with neighbouring values are not, as far as the target tells. `values` and `target` have
/// an entry per row. At least 20 values must be there, each in two rows on average.
bool are_codes(std::span<const double> values, std::span<const double> target);

/// A note for every column of numbers that are codes in a sample of the rows, because a curve over them means
/// little. Reads the rows only where a column may be one of codes.
std::vector<Message> code_column_notes(std::span<const ColumnSummary> columns, const Encoding& encoding,
                                       const RowSource& rows);

}  // namespace kore::table
