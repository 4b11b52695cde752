#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kore::cli {

/// The columns of `--cyclic hour,wind:360`, with their periods; 0 where none is given. `columns` are the
/// names that the table has.
std::vector<std::pair<std::string, double>> cyclic_columns(const std::vector<std::string>& arguments,
                                                           const std::vector<std::string>& columns);

/// The columns of `--max-resolution hour:24,age:8`, with their numbers.
std::vector<std::pair<std::string, int>> largest_resolutions(const std::vector<std::string>& arguments,
                                                             const std::vector<std::string>& columns);

}  // namespace kore::cli
