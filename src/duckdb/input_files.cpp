#include "duckdb/input_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "duckdb/database.hpp"
#include "duckdb/sql.hpp"

namespace kore::duckdb {
namespace {

/// What stands in single or double quotes, with doubled quotes taken as one.
std::vector<std::string> quoted_texts(const std::string& sql) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    const char quote = sql[i];
    if (quote != '\'' && quote != '"') continue;
    std::string text;
    for (++i; i < sql.size() && (sql[i] != quote || (i + 1 < sql.size() && sql[i + 1] == quote)); ++i) {
      text += sql[i];
      if (sql[i] == quote) ++i;
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

void add_matches(const Database& database, const std::string& pattern, std::vector<std::string>& files) {
  std::error_code ignored;
  if (std::filesystem::exists(pattern, ignored)) files.push_back(pattern);
  if (pattern.find_first_of("*?[") == std::string::npos || pattern.find("://") != std::string::npos) return;
  try {
    Stream found = database.stream(fmt::format("SELECT file FROM glob({})", sql_literal(pattern)));
    while (const auto chunk = found.next())
      for (std::size_t row = 0; row < chunk->rows(); ++row) files.push_back(chunk->text(0, row));
  } catch (const SqlError&) {
    // Any text of a query comes here; one that is no pattern names no file.
    return;
  }
}

}  // namespace

std::vector<std::string> input_files(const Database& database, const Origin& origin) {
  std::vector<std::string> files;
  if (!origin.is_query()) {
    add_matches(database, origin.text, files);
    return files;
  }
  for (const std::string& text : quoted_texts(origin.text)) add_matches(database, text, files);
  return files;
}

std::vector<std::string> input_files(const Table& table) {
  return input_files(table.database(), table.origin());
}

}  // namespace kore::duckdb
