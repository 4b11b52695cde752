#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kore::report {

/// As a person reads it: three significant digits, thousands with commas, "1.2e-7" only far from one.
std::string readable(double value);
/// With as many digits as an error of this size leaves meaningful: one beyond its first. Thousands have
/// commas.
std::string precise(double value, double error);
/// The format of d3 for numbers up to the largest of these: three significant digits, never "1.3e+2".
std::string number_format(const std::vector<double>& values);
/// A text without the folders of the files that it names: "the file '/home/me/cars.csv'" becomes "the file
/// 'cars.csv'". A page is given to others, whom they do not concern.
std::string without_folders(const std::string& text);
/// Five significant digits: all that a chart shows, in a third of the bytes.
double rounded(double value);
/// A name with its share in brackets, which no line break takes apart: "age (12.3 %)".
std::string with_share(const std::string& name, double share);
/// The first letters of a long name, as many as fit a line.
std::string shortened(std::string_view name, std::size_t most = 34);
/// The same for names side by side, which stay different: those with the same beginning show their ends, too.
/// Where an axis shows `visible` letters alone, they differ within these.
std::vector<std::string> shortened_apart(const std::vector<std::string>& names, std::size_t most,
                                         std::size_t visible);
inline std::vector<std::string> shortened_apart(const std::vector<std::string>& names, std::size_t most) {
  return shortened_apart(names, most, most);
}
/// Letters of a name that fit beside bars.
inline constexpr std::size_t letters_beside_bars = 15;

}  // namespace kore::report
