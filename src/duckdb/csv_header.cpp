#include "duckdb/csv_header.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

#include "table/text_values.hpp"

namespace kore::duckdb {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

char guess_delimiter(const std::vector<std::string>& lines) {
  const std::string& header = lines.front();
  char best = ',';
  std::pair<std::size_t, std::size_t> most{0, 0};
  for (const char candidate : {',', ';', '\t', '|'}) {
    const std::size_t fields = split_header(header, candidate).size();
    if (fields == 1) continue;
    const auto agreeing =
        static_cast<std::size_t>(std::count_if(lines.begin() + 1, lines.end(), [&](const std::string& line) {
          return split_header(line, candidate).size() == fields;
        }));
    if (std::pair(agreeing, fields) <= most) continue;
    most = {agreeing, fields};
    best = candidate;
  }
  return best;
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
                     [](const std::string& field) { return table::parse_number(field).has_value(); });
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

}  // namespace kore::duckdb
