#include "report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr double largest_plain = 1e15;  // beyond it a double has no digits after the decimal point
constexpr double smallest_plain = 1e-4;
constexpr int most_decimals = 12;

std::map<std::string, std::size_t> counts_of(const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : names) ++counts[name];
  return counts;
}

}  // namespace

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

std::string precise(double value, double error) {
  if (!std::isfinite(value)) return "undefined";
  if (!(error > 0) || !std::isfinite(error) || std::abs(value) >= largest_plain) return readable(value);
  const int wanted = 1 - static_cast<int>(std::floor(std::log10(error)));
  const double unit = wanted < 0 ? std::pow(10, -wanted) : 1;
  const int decimals = std::clamp(wanted, 0, most_decimals);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, std::abs(unit * std::round(value / unit)));
  if (wanted >= 0) std::snprintf(text.data(), text.size(), "%.*f", decimals, std::abs(value));
  std::string digits = text.data();
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > 3; at -= 3) digits.insert(at - 3, ",");
  const bool zero = digits.find_first_not_of("0.,") == std::string::npos;
  return (value < 0 && !zero ? "-" : "") + digits;
}

std::string number_format(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest == 0 || (largest >= smallest_plain && largest < largest_plain) ? ",.3~r" : ".2~e";
}

std::string without_folders(const std::string& text) {
  const std::string_view all = text;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool quote = text[at] == '\'' || text[at] == '"';
    const std::string_view after = all.substr(at + 1);
    const bool path = after.starts_with('/') || after.starts_with('~') || after.starts_with('.') ||
                      (after.size() > 2 && after.substr(1, 2) == ":\\");
    const std::size_t end = quote && path ? text.find(text[at], at + 1) : std::string::npos;
    result += text[at++];
    if (end == std::string::npos) continue;
    const std::size_t last = text.find_last_of("/\\", end);
    if (last != std::string::npos && last >= at) at = last + 1;
  }
  return result;
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
  // Charts keep what they know of a name in an object of JavaScript, which already has these.
  constexpr std::array inherited{"constructor",    "__proto__",     "toString",       "valueOf",
                                 "hasOwnProperty", "isPrototypeOf", "toLocaleString", "propertyIsEnumerable"};
  constexpr const char* invisible = "\u2060";  // a word joiner
  if (std::ranges::find(inherited, name) != inherited.end()) return std::string(name) + invisible;
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

namespace {

/// The last letters of a name in UTF-8.
std::string_view last_letters(std::string_view name, std::size_t count) {
  std::size_t at = name.size();
  while (at > 0 && count > 0)
    if ((name[--at] & 0xC0) != 0x80) --count;
  return name.substr(at);
}

}  // namespace

std::vector<std::string> shortened_apart(const std::vector<std::string>& names, std::size_t most,
                                         std::size_t visible) {
  std::vector<std::string> seen;
  for (const std::string& name : names) seen.push_back(shortened(name, visible));
  const std::map<std::string, std::size_t> uses = counts_of(seen);
  std::vector<std::string> cut;
  for (std::size_t i = 0; i < names.size(); ++i)
    cut.push_back(uses.at(seen[i]) == 1 || seen[i] == names[i]
                      ? shortened(names[i], most)
                      : shortened(names[i], visible / 2) +
                            std::string(last_letters(names[i], visible - visible / 2)));
  // Names may differ in the middle alone.
  std::set<std::string> taken;
  for (std::string& name : cut) {
    const std::string first = name;
    for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{} ({})", first, number);
  }
  return cut;
}

}  // namespace kore::report
