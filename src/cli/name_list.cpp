#include "cli/name_list.hpp"

#include <algorithm>

namespace kore::cli {

std::vector<std::string> split_outside_quotes(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == separator && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string without_quotes(std::string_view part) {
  if (part.size() < 2 || part.front() != '"' || part.back() != '"') return std::string(part);
  std::string name;
  part = part.substr(1, part.size() - 2);
  for (std::size_t i = 0; i < part.size(); ++i) {
    name += part[i];
    if (part[i] == '"' && i + 1 < part.size() && part[i + 1] == '"') ++i;
  }
  return name;
}

std::vector<std::string> names_in(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& argument : arguments) {
    if (std::find(columns.begin(), columns.end(), argument) != columns.end()) {
      names.push_back(argument);
      continue;
    }
    for (const std::string& part : split_outside_quotes(argument, ',')) names.push_back(without_quotes(part));
  }
  return names;
}

}  // namespace kore::cli
