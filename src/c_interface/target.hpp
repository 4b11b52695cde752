#pragma once

#include <string>
#include <vector>

#include "kore/column_choice.hpp"
#include "table/frame.hpp"
#include "table/table_summary.hpp"

namespace kore::c_interface {

/// The target of every row of a table as the command reads it, missing where it has none: a number, 0 and 1
/// for two values, or the place of its class. Writes to the summary what the values stand for. Throws
/// `invalid_data` for texts that are neither numbers nor classes.
std::vector<double> read_target(const table::Column& column, std::size_t rows,
                                const table::ColumnChoice& choice, const std::string& origin,
                                table::TableSummary& summary);

/// A column of numbers; texts that are numbers, or yes and no, are read as such.
std::vector<double> numbers_of(const table::Column& column, std::size_t rows);

}  // namespace kore::c_interface
