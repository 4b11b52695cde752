#include "duckdb/explain.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <fstream>
#include <string>
#include <string_view>

namespace kore::duckdb {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The text between two marks in DuckDB's message, or nothing.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const auto start = text.find(before);
  if (start == std::string_view::npos) return {};
  const auto rest = text.substr(start + before.size());
  return std::string(rest.substr(0, rest.find(after)));
}

std::string first_line(std::string_view text) {
  std::string line(text.substr(0, text.find('\n')));
  while (!line.empty() && (line.back() == ' ' || line.back() == '.' || line.back() == '!')) line.pop_back();
  return line;
}

/// DuckDB's message without the kind of error in front: "Binder Error: Referenced column ..." -> "Referenced
/// column ..."
std::string_view without_kind(std::string_view message) {
  constexpr std::string_view mark = " Error: ";
  const auto at = message.find(mark);
  return at < 24 ? message.substr(at + mark.size()) : message;
}

/// "Line 12 of the file 'x.csv'": where a CSV error is. One of several files is named by DuckDB.
std::string place(std::string_view message, const Origin& origin) {
  std::string file = between(message, "\n  file = ", "\n");
  const std::string name = file.empty() ? origin.name() : origin.name_of(file);
  const std::string line = between(message, "CSV Error on Line: ", "\n");
  return line.empty() ? name : fmt::format("line {} of {}", line, name);
}

/// By the mark that such files begin with.
bool begins_as_utf16(const Origin& origin) {
  std::array<unsigned char, 2> bytes{};
  std::ifstream file(origin.text, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  return (bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF);
}

std::string capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty())
    result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  return result;
}

Error explained_query(std::string_view message, const Origin& origin) {
  return {ErrorCode::invalid_argument,
          "query_failed",
          "The query cannot be run: {why}. The query was: {query}",
          {{"why", first_line(without_kind(message))}, {"query", origin.text}}};
}

}  // namespace

Error explained(const SqlError& error, const Origin& origin) {
  const std::string_view message = error.what();
  const std::string where = capitalised(place(message, origin));
  if (error.type() == DUCKDB_ERROR_OUT_OF_MEMORY)
    return {ErrorCode::io,
            "out_of_memory_reading",
            "There is not enough memory to read {table}: {why}.",
            {{"table", origin.name()}, {"why", first_line(without_kind(message))}}};
  const std::string converted = between(message, "converting column \"", "\"");
  if (error.type() == DUCKDB_ERROR_CONVERSION && !converted.empty())
    return {
        ErrorCode::invalid_data,
        "value_of_another_type",
        "{where} has '{text}' in column '{column}', where the lines before it have values of type {type}. "
        "Correct it, leave the field empty if the value is missing, or treat the column as a category.",
        {{"where", where},
         {"text", between(message, "Could not convert string \"", "\" to")},
         {"column", converted},
         {"type", between(message, "\" to '", "'")}}};
  if (contains(message, "Invalid unicode") || contains(message, "not utf-8") ||
      contains(message, "Invalid UTF8"))
    return {ErrorCode::invalid_data,
            "not_utf8",
            "{where} is not UTF-8 text. Convert the file, for example with \"iconv -f {from} -t UTF-8\".",
            {{"where", where}, {"from", begins_as_utf16(origin) ? "UTF-16" : "LATIN1"}}};
  if (contains(message, "Expected Number of Columns: "))
    return {
        ErrorCode::invalid_data,
        "ragged_line",
        "{where} has {fields} fields, but the header has {columns}. Correct the line (a field that contains "
        "the delimiter must be in double quotes).",
        {{"where", where},
         {"fields", first_line(between(message, " Found: ", "\n"))},
         {"columns", between(message, "Expected Number of Columns: ", " ")}}};
  if (contains(message, "unterminated quote"))
    return {ErrorCode::invalid_data,
            "open_quote",
            "{where} has a double quote that is never closed. Close it, or write two for one that is part of "
            "the text.",
            {{"where", where}}};
  const std::string extension = between(message, "required extension '", "'");
  if (!extension.empty())
    return {ErrorCode::io,
            "missing_extension",
            "{table} needs DuckDB's extension '{extension}', which is not installed, and nothing is fetched "
            "from the network while a table is read. Copy what it names to a file of this machine.",
            {{"table", capitalised(origin.name())}, {"extension", extension}}};
  if (contains(message, "Too many open files"))
    return {ErrorCode::io,
            "too_few_descriptors",
            "{table} cannot be read, because too many files are open. Raise the limit of open files (see "
            "ulimit -n).",
            {{"table", capitalised(origin.name())}}};
  if (origin.is_query()) return explained_query(message, origin);
  // Of a file only columns are asked for that were in it.
  if (error.type() == DUCKDB_ERROR_BINDER)
    return {ErrorCode::io,
            "table_has_changed",
            "{table} has changed while it was read: its columns are not those that it had.",
            {{"table", capitalised(origin.name())}}};
  const bool refused = error.type() == DUCKDB_ERROR_IO || error.type() == DUCKDB_ERROR_PERMISSION;
  return {refused ? ErrorCode::io : ErrorCode::invalid_data,
          "unreadable_table",
          "{table} cannot be read: {cause}.",
          {{"table", capitalised(origin.name())}, {"cause", first_line(without_kind(message))}}};
}

}  // namespace kore::duckdb
