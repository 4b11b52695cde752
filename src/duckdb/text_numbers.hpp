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

/// Whether numbers with leading zeros are codes, because "007" is not "7": then a single one makes all values
/// of its column texts. In a column that has to hold numbers, such as the target, they are numbers.
enum class LeadingZeros { codes, numbers };

/// Those of the text columns at the places `texts` of which every value is a number or a marker.
std::vector<TextNumbers> find_text_numbers(const Database& database, const std::string& relation,
                                           const std::vector<TableColumn>& columns,
                                           const std::vector<std::size_t>& texts, LeadingZeros zeros);

}  // namespace kore::duckdb
