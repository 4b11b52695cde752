#include "cli/memory_size.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>

#include "kore/error.hpp"

namespace kore::cli {
namespace {

constexpr double least_memory =
    32e6;  // a quarter of it is just enough for the smallest buffers of a text file

}  // namespace

std::uint64_t parse_memory_size(const std::string& text) {
  static const std::map<std::string, double> units{
      {"", 1},      {"b", 1},        {"kb", 1e3},     {"mb", 1e6},     {"gb", 1e9},
      {"tb", 1e12}, {"kib", 0x1p10}, {"mib", 0x1p20}, {"gib", 0x1p30}, {"tib", 0x1p40}};
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit;
  for (const char* c = end; *c != '\0'; ++c)
    if (std::isspace(static_cast<unsigned char>(*c)) == 0)
      unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  const auto found = units.find(unit);
  const double bytes = found == units.end() ? NAN : number * found->second;
  if (end == text.c_str() || !(bytes >= least_memory) || bytes > 1e18)
    throw Error(ErrorCode::invalid_argument, "bad_memory_limit",
                "The memory limit is '{size}'; it must be a size of at least 32MB, such as 800MB or 2GB.",
                {{"size", text}});
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace kore::cli
