#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "table/frame.hpp"

/// The groups of rows as numbers, by one rule for every front: the same table then has the same folds,
/// wherever it is read.
namespace kore::table {

/// A number that stands for a text. A text that is a number stands for that number, so that pieces of a table
/// in which a column is read once as numbers and once as texts agree; "007" is not "7". Others get a number
/// far away from those.
double group_of_text(std::string_view text);

/// For each row the number of its group; NaN where the value is missing.
std::vector<double> groups_of(const Column& column, std::size_t rows);

/// Throws `invalid_data`.
[[noreturn]] void refuse_missing_groups(std::string_view column, std::uint64_t rows, std::string_view table);

}  // namespace kore::table
