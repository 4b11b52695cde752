#pragma once

#include <string>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/table.hpp"

namespace kore::duckdb {

/// A text column that holds numbers, and markers for missing ones.
struct TextNumbers {
  std::size_t column = 0;
  std::uint64_t numbers = 0;  ///< Rows of either kind.
  std::uint64_t marked = 0;
  std::string marker;  ///< One of the markers, if there are any.
};

/// The text columns of a relation of which every value is a number or a marker. Numbers with leading zeros
/// are not meant: they are codes, and "007" is not "7".
std::vector<TextNumbers> find_text_numbers(const Database& database, const std::string& relation,
                                           const std::vector<TableColumn>& columns);

}  // namespace kore::duckdb
