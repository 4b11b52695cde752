#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace kore::table {

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

/// Not a number, but one without the signs that people add: "37%", "12,345", "$9.50", "€9.50".
inline bool is_formatted_number(std::string_view text) {
  std::string bare(text);
  for (const std::string_view sign : {"%", ",", "$", " ", "€", "£"})
    for (std::size_t at = bare.find(sign); at != std::string::npos; at = bare.find(sign, at))
      bare.erase(at, sign.size());
  return bare.size() < text.size() && !parse_number(text) && parse_number(bare);
}

/// A number with a comma for its decimal point: "0,25", "1.000,25". One with three digits behind it may be a
/// thousand, unless points are between those.
inline bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  const std::size_t point = text.find('.');
  if (point > comma && (point != std::string_view::npos || text.size() - comma - 1 == 3)) return false;
  std::string dotted;
  for (const char c : text)
    if (c != '.') dotted += c == ',' ? '.' : c;
  return parse_number(dotted).has_value();
}

/// SQL that makes a number of a text with a decimal comma.
inline std::string comma_sql(const std::string& column) {
  return "CAST(replace(replace(" + column + ", '.', ''), ',', '.') AS DOUBLE)";
}

}  // namespace kore::table
