#include "story/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kore::story {

std::string short_number(double value) {
  if (!std::isfinite(value)) return "undefined";
  constexpr double first_grouped = 1e3;
  constexpr double last_grouped = 1e9;
  const double size = std::abs(value);
  if (size >= first_grouped && size < last_grouped)
    return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(size)));
  return fmt::format("{:.4g}", value);
}

std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "undefined";
  const double rounded = std::round(1000 * share) / 10;
  return fmt::format("{:.1f} %", rounded == 0 ? 0.0 : rounded);  // no "-0.0"
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string some_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    text += fmt::format("{}'{}'", i == 0 ? "" : last ? " and " : ", ", names[i]);
  }
  return names.size() > shown ? fmt::format("{} and {} more", text, grouped(names.size() - shown)) : text;
}

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{} min {:.0f} s", static_cast<int>(seconds / 60), std::fmod(seconds, 60));
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - display_width(row[c]), ' ');
      if (c > 0) line += "  ";
      line += c < text_columns ? row[c] + padding : padding + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace kore::story
