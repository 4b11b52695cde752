#pragma once

#include <string>
#include <string_view>

namespace kore::report {

/// As a person reads it: three significant digits, thousands with commas, "1.2e-7" only far from one.
std::string readable(double value);
/// Five significant digits: all that a chart shows, in a third of the bytes.
double rounded(double value);
/// A name with its share in brackets, which no line break takes apart: "age (12.3 %)".
std::string with_share(const std::string& name, double share);
/// The first letters of a long name, as many as fit a line.
std::string shortened(std::string_view name, std::size_t most = 34);

}  // namespace kore::report
