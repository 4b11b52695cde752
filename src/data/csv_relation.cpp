#include "data/csv_relation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "data/csv_header.hpp"
#include "data/duck/sql.hpp"
#include "kore/error.hpp"

namespace kore::data {
namespace {

/// Rows that column types are guessed from before the file is read.
constexpr int sampled_rows = 204'800;

/// Most texts show within the first rows what they are.
constexpr int rows_that_tell_most = 2048;

/// Lines that the delimiter is guessed from, the header among them.
constexpr int guessed_lines = 6;

/// DuckDB reads text in buffers of 32 MB, more than a small limit has, and none of lines longer than 2 MB.
constexpr std::uint64_t largest_buffer = 32'000'000;
constexpr std::uint64_t smallest_buffer = 2'100'000;
constexpr std::uint64_t buffers_in_memory = 8;

std::uint64_t buffer_size(const Database& database) {
  return std::clamp(database.memory_limit() / buffers_in_memory, smallest_buffer, largest_buffer);
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
    throw Error(ErrorCode::invalid_data, capitalised(origin.name_of(file)) + " is empty.");
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
      throw Error(ErrorCode::invalid_data,
                  fmt::format("The first line of {} holds numbers instead of column names. Add a line of "
                              "names, or read a file by a query: \"FROM read_csv('{}', header=false)\".",
                              origin.name_of(file), origin.standard_input ? "data.csv" : file));
    if (names_.empty()) {
      names_ = std::move(names);
      delimiter_ = delimiter;
    } else if (names != names_ || delimiter != delimiter_) {
      throw Error(
          ErrorCode::invalid_data,
          fmt::format("The header of the file '{}' differs from that of '{}'.", file, files_.front()));
    }
  }
}

void CsvRelation::read_as_text(const std::vector<std::string>& columns) {
  for (const std::string& name : names_)
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) text_columns_.push_back(name);
}

std::string CsvRelation::read_csv(const std::string& more) const {
  return fmt::format(
      "read_csv({}, header=true, skip=0, delim={}, quote='\"', escape='\"', nullstr='', strict_mode=true, "
      "buffer_size={}, {})",
      sql_files(files_), sql_literal(std::string_view(&delimiter_, 1)), buffer_size(database_), more);
}

std::string CsvRelation::relation(Sample sample) {
  const std::string relation = typed_relation(sample);
  if (decimal_comma_ || delimiter_ == ',' || !finds_decimal_commas(relation)) return relation;
  decimal_comma_ = true;
  return typed_relation(sample);
}

/// A column of texts that are all numbers if a comma is the decimal point. At least one must not have three
/// digits behind it: those could be thousands.
bool CsvRelation::finds_decimal_commas(const std::string& relation) const {
  Stream texts = database_.stream(fmt::format(
      "SELECT column_name FROM (DESCRIBE SELECT * FROM {}) WHERE column_type = 'VARCHAR'", relation));
  std::vector<std::string> questions;
  while (const auto chunk = texts.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) {
      const std::string name = chunk->text(0, row);
      if (std::ranges::find(text_columns_, name) != text_columns_.end()) continue;
      questions.push_back(
          fmt::format("(count({0}) FILTER (NOT regexp_full_match({0}, "
                      "'[+-]?[0-9]*(,[0-9]+)?([eE][+-]?[0-9]+)?')) = 0 AND "
                      "count({0}) FILTER (regexp_full_match({0}, "
                      "'[+-]?[0-9]*,([0-9]{{1,2}}|[0-9]{{4,}})([eE].*)?')) > 0)",
                      unmarked_text(name)));
    }
  if (questions.empty()) return false;
  const Chunk answer =
      database_.first_rows(fmt::format("SELECT CAST({} AS BIGINT) FROM (FROM {} LIMIT {})",
                                       fmt::join(questions, " OR "), relation, rows_that_tell_most));
  return answer.count(0, 0) == 1;
}

std::string CsvRelation::typed_relation(Sample sample) const {
  std::string types;
  for (const std::string& column : text_columns_)
    types += fmt::format("{}{}: 'VARCHAR'", types.empty() ? "" : ", ", sql_literal(column));
  std::string more =
      fmt::format("comment='', sample_size={}", sample == Sample::everything ? -1 : sampled_rows);
  if (!types.empty()) more += fmt::format(", types={{{}}}", types);
  if (decimal_comma_) more += ", decimal_separator=','";
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

}  // namespace kore::data
