#include "duckdb/csv_relation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "duckdb/csv_header.hpp"
#include "duckdb/sql.hpp"
#include "table/refusals.hpp"

namespace kore::duckdb {
namespace {

/// Rows that column types are guessed from before the file is read.
constexpr int sampled_rows = 204'800;

/// Most columns show within the first rows what they hold.
constexpr int rows_that_tell_most = 2048;

/// Numbers with a decimal comma, perhaps with points between thousands; and those that cannot be anything
/// else. (1,234 may also be a thousand.)
constexpr const char* comma_number = "'[+-]?([0-9]*|[0-9]{1,3}([.][0-9]{3})+)(,[0-9]+)?([eE][+-]?[0-9]+)?'";
constexpr const char* certain_comma_number =
    "'[+-]?([0-9]*,([0-9]{1,2}|[0-9]{4,})([eE].*)?|[0-9]{1,3}([.][0-9]{3})+,[0-9]+)'";

/// Lines that the delimiter is guessed from, the header among them.
constexpr int guessed_lines = 6;

/// DuckDB reads text in buffers of 32 MB, more than a small limit has, and none of lines longer than 2 MB.
constexpr std::uint64_t largest_buffer = 32'000'000;
constexpr std::uint64_t smallest_buffer = 2'100'000;
constexpr std::uint64_t buffers_in_memory = 8;

std::uint64_t buffer_size(const Database& database) {
  return std::clamp(database.memory_limit() / buffers_in_memory, smallest_buffer, largest_buffer);
}

/// A format with hours is that of times. Others are left to DuckDB, which reads times of ISO 8601 beside such
/// dates.
std::string date_options(const std::string& format) {
  const bool time = format.find("%H") != std::string::npos || format.find("%I") != std::string::npos;
  return fmt::format(", {}={}", time ? "timestampformat" : "dateformat", sql_literal(format));
}

std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// The first lines as they are: read as a table of one column, with a delimiter that no text contains. Not
/// strictly, because without quotes the line ends inside of them may be of another kind.
std::vector<std::string> first_lines(const Database& database, const Origin& origin,
                                     const std::string& file) {
  Stream stream = database.stream(fmt::format(
      "SELECT line FROM read_csv({}, auto_detect=false, header=false, delim='\\x01', quote='', escape='', "
      "strict_mode=false, buffer_size={}, columns={{'line': 'VARCHAR'}}) LIMIT {}",
      sql_file(file), buffer_size(database), guessed_lines));
  std::vector<std::string> lines;
  while (const auto chunk = stream.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) lines.push_back(chunk->text(0, row));
  if (lines.empty() || lines.front().empty())
    table::refuse_data("empty_file", "{table} is empty.", {{"table", capitalised(origin.name_of(file))}});
  return lines;
}

}  // namespace

CsvRelation::CsvRelation(const Database& database, const Origin& origin, std::vector<std::string> files)
    : database_(database), files_(std::move(files)) {
  for (const std::string& file : files_) {
    const std::vector<std::string> lines = first_lines(database, origin, file);
    const char delimiter = origin.format == TableFormat::tsv ? '\t' : guess_delimiter(lines);
    std::vector<std::string> names = split_header(lines.front(), delimiter);
    if (is_all_numbers(names))
      table::refuse_data(
          "header_of_numbers",
          "The first line of {table} holds numbers instead of column names. Add a line of names, or read a "
          "file by a query: \"FROM read_csv('{file}', header=false)\".",
          {{"table", origin.name_of(file)}, {"file", origin.standard_input ? "data.csv" : file}});
    if (names_.empty()) {
      names_ = std::move(names);
      delimiter_ = delimiter;
    } else {
      check_same_columns(names, file);
      if (delimiter != delimiter_)
        table::refuse_data("headers_differ",
                           "The file '{file}' separates its columns by another character than '{other}'.",
                           {{"file", file}, {"other", files_.front()}});
      by_name_ = by_name_ || names != names_;
    }
  }
}

/// The columns of one file may stand in another order, but none may be missing or new.
void CsvRelation::check_same_columns(const std::vector<std::string>& names, const std::string& file) const {
  const auto first_missing = [](const std::vector<std::string>& wanted,
                                const std::vector<std::string>& there) {
    return std::ranges::find_if(
        wanted, [&](const std::string& name) { return std::ranges::find(there, name) == there.end(); });
  };
  if (const auto missing = first_missing(names_, names); missing != names_.end())
    table::refuse_data("headers_differ",
                       "The file '{file}' has no column '{column}', which the file '{other}' has.",
                       {{"file", file}, {"column", *missing}, {"other", files_.front()}});
  if (const auto further = first_missing(names, names_); further != names.end())
    table::refuse_data("headers_differ",
                       "The file '{file}' has a column '{column}', which the file '{other}' has not.",
                       {{"file", file}, {"column", *further}, {"other", files_.front()}});
  if (names.size() != names_.size())
    table::refuse_data("headers_differ", "The header of the file '{file}' differs from that of '{other}'.",
                       {{"file", file}, {"other", files_.front()}});
}

void CsvRelation::read_as_text(const std::vector<std::string>& columns) {
  for (const std::string& name : names_)
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) text_columns_.push_back(name);
}

std::string CsvRelation::read_csv(const std::string& more) const {
  return fmt::format(
      "read_csv({}, header=true, skip=0, delim={}, quote='\"', escape='\"', nullstr='', strict_mode=true, "
      "buffer_size={}{}, {})",
      sql_files(files_), sql_literal(std::string_view(&delimiter_, 1)), buffer_size(database_),
      by_name_ ? ", union_by_name=true" : "", more);
}

std::string CsvRelation::found_date_format() const {
  for (const std::string& file : files_) {
    const std::string sql = fmt::format(
        "SELECT CAST(coalesce(DateFormat, TimestampFormat) AS VARCHAR) FROM sniff_csv({}, header=true, "
        "skip=0, delim={}, quote='\"', "
        "escape='\"', nullstr='', buffer_size={})",
        sql_file(file), sql_literal(std::string_view(&delimiter_, 1)), buffer_size(database_));
    try {
      const Chunk found = database_.first_rows(sql);
      if (!found.is_null(0, 0)) return found.text(0, 0);
    } catch (const SqlError&) {
      return {};  // what is wrong with the file is said where its columns are read
    }
  }
  return {};
}

std::string CsvRelation::relation(Sample sample) {
  std::string relation = typed_relation(sample);
  if (delimiter_ == ',') return relation;
  if (!decimal_comma_) {
    decimal_comma_ = std::ranges::any_of(comma_columns(relation), &CommaColumn::certain);
    if (!decimal_comma_) return relation;
    relation = typed_relation(sample);
  }
  // DuckDB leaves texts where there are markers of missing values, or points between thousands.
  std::vector<std::string> replaced;
  for (const CommaColumn& column : comma_columns(relation))
    replaced.push_back(fmt::format(
        "CASE WHEN regexp_full_match(trim({0}), {1}) THEN replace(replace({0}, '.', ''), ',', '.') "
        "ELSE {0} END AS {0}",
        as_sql(column.name), comma_number));
  if (replaced.empty()) return relation;
  return fmt::format("(SELECT * REPLACE ({}) FROM {})", fmt::join(replaced, ", "), relation);
}

std::vector<CsvRelation::CommaColumn> CsvRelation::comma_columns(const std::string& relation) const {
  Stream texts = database_.stream(fmt::format(
      "SELECT column_name FROM (DESCRIBE SELECT * FROM {}) WHERE column_type = 'VARCHAR'", relation));
  std::vector<CommaColumn> columns;
  std::vector<std::string> questions;
  while (const auto chunk = texts.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) {
      const std::string name = chunk->text(0, row);
      if (std::ranges::find(text_columns_, name) != text_columns_.end()) continue;
      columns.push_back({name});
      questions.push_back(
          fmt::format("count({0}) FILTER (NOT regexp_full_match({0}, {1})), "
                      "count({0}) FILTER (contains({0}, ',')), "
                      "count({0}) FILTER (regexp_full_match({0}, {2}))",
                      unmarked_text(name), comma_number, certain_comma_number));
    }
  if (columns.empty()) return {};
  const Chunk row = database_.first_rows(fmt::format(
      "SELECT {} FROM (FROM {} LIMIT {})", fmt::join(questions, ", "), relation, rows_that_tell_most));
  std::vector<CommaColumn> found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].certain = row.count(3 * c + 2, 0) > 0;
    if (row.count(3 * c, 0) == 0 && row.count(3 * c + 1, 0) > 0) found.push_back(columns[c]);
  }
  return found;
}

std::string CsvRelation::typed_relation(Sample sample) const {
  std::string types;
  for (const std::string& column : text_columns_)
    types += fmt::format("{}{}: 'VARCHAR'", types.empty() ? "" : ", ", sql_literal(column));
  std::string more =
      fmt::format("comment='', sample_size={}", sample == Sample::everything ? -1 : sampled_rows);
  if (!types.empty()) more += fmt::format(", types={{{}}}", types);
  if (decimal_comma_) more += ", decimal_separator=','";
  if (!date_format_.empty()) more += date_options(date_format_);
  const std::string relation = read_csv(more);
  try {
    database_.run("DESCRIBE FROM " + relation);
  } catch (const SqlError&) {
    // DuckDB's detection only says that nothing fits. Reading with the layout of the header says which line
    // is at fault.
    std::string columns;
    for (std::size_t c = 0; c < names_.size(); ++c)
      columns += fmt::format("{}'c{}': 'VARCHAR'", c == 0 ? "" : ", ", c);
    database_.run(fmt::format("SELECT count(COLUMNS(*)) FROM {}",
                              read_csv(fmt::format("auto_detect=false, columns={{{}}}", columns))));
    throw;
  }
  return relation;
}

}  // namespace kore::duckdb
