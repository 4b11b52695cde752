#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kore::story {

/// Four significant digits, as a person would write them; "undefined" where there is no finite number.
std::string short_number(double value);
/// 12345678 as "12,345,678".
std::string grouped(std::uint64_t count);
/// 0.1234 as "12.3 %".
std::string percent(double share);
/// "1 row", "2 rows".
std::string counted(std::uint64_t count, const std::string& noun);
/// Names of a list, as many as a sentence can have: "'a', 'b' and 3 more".
std::string some_names(const std::vector<std::string>& names, std::size_t most);
/// Seconds as "0.042 s" or "3 min 12 s".
std::string duration(double seconds);

/// Rows of cells, first row the heading, columns aligned: text to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns = 1);
/// Length as seen on a terminal, where a UTF-8 sequence takes one place.
std::size_t display_width(const std::string& text);

}  // namespace kore::story
