#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kore::cli {

/// Splits a list at a separator, but not inside double quotes: a,"b,c" has two parts. The quotes stay, so
/// that a part can be split again.
std::vector<std::string> split_outside_quotes(std::string_view text, char separator);

/// Removes the double quotes around a name; doubled quotes inside become one.
std::string without_quotes(std::string_view part);

/// The names in the arguments of an option that takes a list. If the whole argument is the name of a
/// column, commas included, it is that column.
std::vector<std::string> names_in(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& columns);

}  // namespace kore::cli
