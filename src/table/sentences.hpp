#pragma once

#include <string>
#include <string_view>

/// Names as they appear in sentences for people.
namespace kore::table {

inline std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

/// A name as it is typed on a command line: in double quotes where the shell would take it apart.
inline std::string as_argument(std::string_view name) {
  const bool plain = !name.empty() && name.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_.-") == std::string_view::npos;
  return plain ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// A name as SQL wants it: in double quotes, with those inside it doubled.
inline std::string as_sql(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// SQL that makes a number of a text with a decimal comma.
inline std::string comma_sql(const std::string& column) {
  return "CAST(replace(replace(" + column + ", '.', ''), ',', '.') AS DOUBLE)";
}

}  // namespace kore::table
