#include "duckdb/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <vector>

#include "kore/column_choice.hpp"
#include "kore/error.hpp"
#include "table/refusals.hpp"

namespace kore::duckdb {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_space(text.back()) || text.back() == ';')) text.remove_suffix(1);
  return text;
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// A query begins with one of the three words that begin a SELECT in DuckDB, followed by a character that
/// cannot be part of a name.
bool looks_like_query(std::string_view text) {
  const std::string lower = lowered(text.substr(0, 8));
  for (const std::string_view word : {"from", "select", "with"}) {
    if (!lower.starts_with(word) || lower.size() == word.size()) continue;
    const char next = lower[word.size()];
    if (std::isspace(static_cast<unsigned char>(next)) != 0 || next == '(' || next == '\'' || next == '"')
      return true;
  }
  return false;
}

bool is_spreadsheet(const std::string& path) {
  const std::string lower = lowered(path);
  return lower.ends_with(".xlsx") || lower.ends_with(".xls") || lower.ends_with(".ods");
}

std::optional<TableFormat> format_by_ending(const std::string& path) {
  std::string lower = lowered(path);
  for (const std::string_view compressed : {".gz", ".zst"})
    if (lower.ends_with(compressed)) lower.resize(lower.size() - compressed.size());
  constexpr std::array<std::pair<std::string_view, TableFormat>, 7> endings{
      {{".csv", TableFormat::csv},
       {".tsv", TableFormat::tsv},
       {".parquet", TableFormat::parquet},
       {".json", TableFormat::json},
       {".ndjson", TableFormat::json},
       {".jsonl", TableFormat::json},
       {".pq", TableFormat::parquet}}};
  for (const auto& [ending, format] : endings)
    if (lower.ends_with(ending)) return format;
  return std::nullopt;
}

[[noreturn]] void refuse_missing(const fs::path& path) {
  std::vector<std::string> neighbours;
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    neighbours.push_back(entry.path().filename().string());
  std::sort(neighbours.begin(), neighbours.end());
  const std::string nearest = table::nearest_name(path.filename().string(), neighbours);
  throw Error(
      ErrorCode::io, "no_file",
      nearest.empty() ? "There is no file '{file}'." : "There is no file '{file}'. Did you mean '{nearest}'?",
      {{"file", path.string()}, {"nearest", nearest}});
}

void check_file(const std::string& text) {
  std::error_code failure;
  const fs::file_status status = fs::status(text, failure);
  if (status.type() == fs::file_type::not_found) refuse_missing(text);
  if (failure)
    throw Error(ErrorCode::io, "unreadable_file", "The file '{file}' cannot be read: {cause}.",
                {{"file", text}, {"cause", failure.message()}});
  if (fs::is_directory(status))
    throw Error(ErrorCode::io, "input_is_folder",
                "'{folder}' is a folder. To read its files together, name them by a pattern such as "
                "'{folder}/*.csv'.",
                {{"folder", text}});
  // It would be read more than once, and waited for.
  if (fs::is_socket(status))
    throw Error(
        ErrorCode::io, "input_is_socket",
        "'{file}' is a socket, not a file. Send what it gives to the standard input: nc -U '{file}' | "
        "kore fit -",
        {{"file", text}});
  if (fs::is_fifo(status))
    throw Error(
        ErrorCode::io, "input_is_pipe",
        "'{file}' is a pipe, which can be read only once. Send its rows to the standard input: kore fit - < "
        "'{file}'.",
        {{"file", text}});
  if (fs::is_regular_file(status) && fs::file_size(text, failure) == 0 && !failure)
    table::refuse_data("empty_file", "{table} is empty.", {{"table", fmt::format("The file '{}'", text)}});
}

}  // namespace

std::string Origin::name() const {
  if (is_query()) return "the query";
  return pattern ? fmt::format("the files '{}'", text) : name_of(text);
}

std::string Origin::name_of(const std::string& file) const {
  return standard_input ? "the standard input" : fmt::format("the file '{}'", file);
}

Origin parse_origin(std::string_view text) {
  Origin origin{std::string(trimmed(text)), TableFormat::csv, false, false};
  if (origin.text.empty())
    throw Error(ErrorCode::invalid_argument, "no_data",
                "No data are given: name a file (.csv, .parquet, ...) or write a query.");
  std::error_code ignored;
  const bool exists = fs::exists(origin.text, ignored);
  if (!exists && looks_like_query(origin.text)) {
    origin.format = TableFormat::query;
    return origin;
  }
  origin.pattern = !exists && origin.text.find_first_of("*?[") != std::string::npos;
  if (!origin.pattern && origin.text.find("://") == std::string::npos) check_file(origin.text);
  const auto format = format_by_ending(origin.text);
  if (!format && is_spreadsheet(origin.text))
    throw Error(ErrorCode::invalid_argument, "spreadsheet",
                "Spreadsheets such as '{file}' are not read. Save the sheet as CSV.",
                {{"file", origin.text}});
  if (!format)
    throw Error(ErrorCode::invalid_argument, "unknown_ending",
                "The ending of '{file}' does not tell what kind of table it is. Known are .csv, .tsv, "
                ".parquet, .json and .ndjson (also with .gz); other files can be read by a query such as "
                "\"FROM read_csv('{file}')\".",
                {{"file", origin.text}});
  origin.format = *format;
  return origin;
}

}  // namespace kore::duckdb
