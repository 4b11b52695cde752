#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kore::cli {

/// Takes a list apart at a separator, but not inside double quotes: a,"b,c" has two parts. The quotes stay,
/// so that a part can be taken apart again.
std::vector<std::string> split_outside_quotes(std::string_view text, char separator);

/// Without the double quotes around it, those doubled inside as one.
std::string without_quotes(std::string_view part);

/// The names in the arguments of an option that takes a list. An argument that is a column as a whole is that
/// column, commas and all.
std::vector<std::string> names_in(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& columns);

}  // namespace kore::cli
