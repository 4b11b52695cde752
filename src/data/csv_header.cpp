#include "data/csv_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_set>

#include "data/encoding/numbers.hpp"

namespace kore::data {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

char guess_delimiter(std::string_view header) {
  constexpr std::array<char, 4> candidates{',', ';', '\t', '|'};
  std::array<std::size_t, 4> counts{};
  bool quoted = false;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    for (std::size_t k = 0; k < candidates.size() && !quoted; ++k)
      if (c == candidates[k]) ++counts[k];
  }
  return candidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                             counts.begin())];
}

std::vector<std::string> split_header(std::string_view header, char delimiter) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const char c = header[i];
    if (c == '"' && quoted && i + 1 < header.size() && header[i + 1] == '"') {
      names.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  std::transform(names.begin(), names.end(), names.begin(), trimmed);
  return names;
}

bool is_all_numbers(const std::vector<std::string>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const std::string& field) { return parse_number(field).has_value(); });
}

std::string first_duplicate(const std::vector<std::string>& names) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    std::string key = name;
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!key.empty() && !seen.insert(key).second) return name;
  }
  return {};
}

}  // namespace kore::data
