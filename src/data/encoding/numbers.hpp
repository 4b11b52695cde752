#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace kore::data {

/// The finite number that a text as a whole stands for, spaces around it aside.
inline std::optional<double> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// Not a number, but one without the signs that people add: "37%", "12,345", "$9.50".
inline bool is_formatted_number(std::string_view text) {
  std::string bare;
  for (const char c : text)
    if (c != '%' && c != ',' && c != '$' && c != ' ') bare += c;
  return bare.size() < text.size() && !parse_number(text) && parse_number(bare);
}

}  // namespace kore::data
