#pragma once

#include <string>

#include "duckdb/table.hpp"
#include "kore/column_choice.hpp"
#include "table/table_summary.hpp"

namespace kore::duckdb {

/// Finds out how the target is read: as a number, as one of two values that count as 0 and 1, or as the
/// position of its class. A text of two values is a target of two, and so is any text of which one value was
/// called positive; other texts are classes where none of them is a number. Adds a note. Throws
/// `invalid_data` for a positive value that no row has, and for more classes than can be meant.
void read_target_type(const Table& table, const TableColumn& column, const table::ColumnChoice& choice,
                      table::TableSummary& summary);

/// The target as a DOUBLE, over the exposure where there is one, and without its offset; NULL where it is
/// missing.
std::string target_expression(const Table& table, const table::TableSummary& summary);

/// The weights, precisions or exposures as a DOUBLE, where there are any.
std::string weight_expression(const Table& table, const table::TableSummary& summary);

}  // namespace kore::duckdb
