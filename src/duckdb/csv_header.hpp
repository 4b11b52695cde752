#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kore::duckdb {

/// The delimiter of the first line: comma, semicolon, tab or bar, outside quotes. It is the one by which most
/// of the other lines have the same number of fields; among equals the most frequent; a comma if there is
/// none.
char guess_delimiter(const std::vector<std::string>& lines);

/// The names of a header line, without the quotes and spaces around them.
std::vector<std::string> split_header(std::string_view header, char delimiter);

/// Whether a first line holds values instead of names.
bool is_all_numbers(const std::vector<std::string>& fields);

/// The first name that occurs twice (upper and lower case count as the same, because SQL does not tell them
/// apart), or empty.
std::string first_duplicate(const std::vector<std::string>& names);

}  // namespace kore::duckdb
