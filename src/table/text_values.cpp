#include "table/text_values.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>
#include <string>

namespace kore::table {
namespace {

/// The space separators of Unicode in UTF-8.
constexpr std::array<std::string_view, 17> spaces{" ",
                                                  "\xC2\xA0",
                                                  "\xE1\x9A\x80",
                                                  "\xE2\x80\x80",
                                                  "\xE2\x80\x81",
                                                  "\xE2\x80\x82",
                                                  "\xE2\x80\x83",
                                                  "\xE2\x80\x84",
                                                  "\xE2\x80\x85",
                                                  "\xE2\x80\x86",
                                                  "\xE2\x80\x87",
                                                  "\xE2\x80\x88",
                                                  "\xE2\x80\x89",
                                                  "\xE2\x80\x8A",
                                                  "\xE2\x80\xAF",
                                                  "\xE2\x81\x9F",
                                                  "\xE3\x80\x80"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_white(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::find(words, lowered(without_spaces(text))) != words.end();
}

/// Nothing where an underscore is not between two digits.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string bare;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      bare += text[i];
    else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1]))
      return std::nullopt;
  }
  return bare;
}

template <class Number>
std::from_chars_result read_whole(std::string_view text, Number& value) {
  std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ptr != text.data() + text.size()) result.ec = std::errc::invalid_argument;
  return result;
}

/// Without spaces, underscores and a plus sign.
std::optional<double> read_bare(std::string_view text) {
  double value = 0;
  const auto failure = read_whole(text, value).ec;
  if (failure == std::errc::result_out_of_range) {
    long double wide = 0;  // tells numbers that are too large from those that are too small
    if (read_whole(text, wide).ec != std::errc{}) return std::nullopt;
    return static_cast<double>(wide);
  }
  return failure == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view without_spaces(std::string_view text) {
  const auto at_front = [&](std::string_view space) { return text.starts_with(space); };
  const auto at_back = [&](std::string_view space) { return text.ends_with(space); };
  for (auto found = std::ranges::find_if(spaces, at_front); found != spaces.end();
       found = std::ranges::find_if(spaces, at_front))
    text.remove_prefix(found->size());
  for (auto found = std::ranges::find_if(spaces, at_back); found != spaces.end();
       found = std::ranges::find_if(spaces, at_back))
    text.remove_suffix(found->size());
  return text;
}

bool marks_missing(std::string_view text) { return is_one_of(text, missing_markers); }

std::optional<double> parse_boolean(std::string_view text) {
  if (is_one_of(text, yes_words)) return 1.0;
  if (is_one_of(text, no_words)) return 0.0;
  return std::nullopt;
}

std::optional<double> read_number(std::string_view text) {
  text = without_spaces(text);
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white(text.back())) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.find('_') == std::string_view::npos) return read_bare(text);
  const auto bare = without_underscores(text);
  return bare ? read_bare(*bare) : std::nullopt;
}

std::optional<double> parse_number(std::string_view text) {
  const auto value = read_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_code(std::string_view text) {
  text = without_spaces(text);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

bool is_formatted_number(std::string_view text) {
  std::string bare(text);
  for (const std::string_view sign : {"%", ",", "$", " ", "€", "£"})
    for (std::size_t at = bare.find(sign); at != std::string::npos; at = bare.find(sign, at))
      bare.erase(at, sign.size());
  return bare.size() < text.size() && !parse_number(text) && parse_number(bare);
}

bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  const std::size_t point = text.find('.');
  if (point > comma && (point != std::string_view::npos || text.size() - comma - 1 == 3)) return false;
  std::string dotted;
  for (const char c : text)
    if (c != '.') dotted += c == ',' ? '.' : c;
  return parse_number(dotted).has_value();
}

}  // namespace kore::table
