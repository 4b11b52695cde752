#include "report/numbers.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "story/text.hpp"

namespace kore::report {

std::string readable(double value) {
  if (!std::isfinite(value)) return "undefined";
  const double size = std::abs(value);
  if (size >= 1000 && size < 1e7) {
    const auto whole = static_cast<std::uint64_t>(std::llround(size));
    return (value < 0 ? "-" : "") + story::grouped(whole);
  }
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

double rounded(double value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.5g", value);
  return std::strtod(text.data(), nullptr);
}

std::string with_share(const std::string& name, double share) {
  std::string percent = story::percent(share);
  if (const auto gap = percent.find(' '); gap != std::string::npos) percent.replace(gap, 1, "\u00a0");
  return name + " (" + percent + ")";
}

std::string shortened(std::string_view name, std::size_t most) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if ((name[at] & 0xC0) == 0x80) continue;  // continues the UTF-8 character before
    if (++letters == most) {
      std::string start(name.substr(0, at));
      return start + "…";
    }
  }
  return std::string(name);
}

}  // namespace kore::report
