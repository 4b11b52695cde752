#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "duckdb/compressed_file.hpp"
#include "duckdb/csv_header.hpp"
#include "duckdb/csv_relation.hpp"
#include "duckdb/database.hpp"
#include "duckdb/dates.hpp"
#include "duckdb/explain.hpp"
#include "duckdb/input_files.hpp"
#include "duckdb/spooled_input.hpp"
#include "duckdb/sql.hpp"
#include "duckdb/table.hpp"
#include "duckdb/text_numbers.hpp"
#include "kore/column_choice.hpp"
#include "kore/error.hpp"
#include "table/refusals.hpp"

namespace kore::duckdb {
namespace {

/// How much larger a compressed text file is assumed to be than its size.
constexpr std::uint64_t compression_factor = 6;

std::vector<std::string> matching_files(const Database& database, const Origin& origin) {
  if (!origin.pattern) return {origin.text};
  std::vector<std::string> files;
  Stream found =
      database.stream(fmt::format("SELECT file FROM glob({}) ORDER BY file", sql_literal(origin.text)));
  while (const auto chunk = found.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) files.push_back(chunk->text(0, row));
  if (files.empty())
    throw Error(ErrorCode::io, "no_matching_file", "No file matches '{pattern}'.",
                {{"pattern", origin.text}});
  return files;
}

std::uint64_t text_bytes(const std::vector<std::string>& files) {
  std::uint64_t total = 0;
  for (const std::string& file : files) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    const bool compressed = file.ends_with(".gz") || file.ends_with(".zst");
    if (!failure) total += size * (compressed ? compression_factor : 1);
  }
  return total;
}

void refuse_duplicates(const std::vector<std::string>& names, const std::string& where) {
  const std::string twice = first_duplicate(names);
  if (!twice.empty())
    table::refuse_data("column_name_twice",
                       "There are two columns named '{column}' in {where}. Rename one of them (upper and "
                       "lower case count as the same).",
                       {{"column", twice}, {"where", where}});
}

/// The columns of a Parquet file as they are written in it: the children of the root, whose own children
/// follow each of them.
std::vector<std::string> parquet_columns(const Database& database, const std::string& file) {
  std::vector<std::string> names;
  Stream schema = database.stream(
      fmt::format("SELECT name, coalesce(num_children, 0) FROM parquet_schema({})", sql_file(file)));
  std::uint64_t inner = 0;
  bool root = true;
  while (const auto chunk = schema.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) {
      const std::uint64_t children = chunk->count(1, row);
      if (!root && inner == 0) names.push_back(chunk->text(0, row));
      if (!root) inner = (inner == 0 ? 0 : inner - 1) + children;
      root = false;
    }
  return names;
}

/// Keeps the rows of a relation in a table, so that reading again is cheap and gives the same rows.
std::string kept(const Database& database, const std::string& relation) {
  const std::string name = database.fresh_name("table");
  database.run(fmt::format("CREATE TABLE {} AS SELECT * FROM {}", name, relation));
  return name;
}

/// How a CSV file writes its booleans, by its first rows: DuckDB says only what they mean.
std::vector<table::BooleanWords> boolean_words(const Database& database, CsvRelation csv,
                                               const std::string& relation) {
  constexpr int rows_that_tell = 2048;
  std::vector<table::BooleanWords> found;
  std::vector<std::string> questions;
  std::vector<std::string> names;
  Stream booleans = database.stream(fmt::format(
      "SELECT column_name FROM (DESCRIBE SELECT * FROM {}) WHERE column_type = 'BOOLEAN'", relation));
  while (const auto chunk = booleans.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) names.push_back(chunk->text(0, row));
  if (names.empty()) return {};
  for (const std::string& name : names)
    for (const char* meaning : {"NOT", ""})
      questions.push_back(fmt::format(
          "coalesce(min(trim({0})) FILTER ({1} TRY_CAST(trim({0}) AS BOOLEAN)), '')", as_sql(name), meaning));
  csv.read_as_text(names);
  const Chunk row =
      database.first_rows(fmt::format("SELECT {} FROM (FROM {} LIMIT {})", fmt::join(questions, ", "),
                                      csv.relation(CsvRelation::Sample::beginning), rows_that_tell));
  for (std::size_t c = 0; c < names.size(); ++c) {
    table::BooleanWords words{names[c], row.text(2 * c, 0), row.text(2 * c + 1, 0)};
    const bool usual = words.no == "false" && words.yes == "true";
    if (!words.no.empty() && !words.yes.empty() && !usual) found.push_back(std::move(words));
  }
  return found;
}

std::string open_csv(const Database& database, Origin& origin, const ReadOptions& options) {
  const std::vector<std::string> files = matching_files(database, origin);
  CsvRelation csv(database, origin, files);
  refuse_duplicates(csv.names(), "the header of " + origin.name_of(files.front()));
  csv.read_as_text(options.text_columns);
  if (options.date_format.empty()) {
    DateReading dates = settle_dates(database, csv, options.date_format_before);
    origin.date_format = std::move(dates.format);
    origin.other_date_format = std::move(dates.otherwise);
    origin.date_column = std::move(dates.column);
  } else {
    csv.read_dates_as(options.date_format);
    origin.date_format = options.date_format;
  }
  const std::string relation = csv.relation(CsvRelation::Sample::beginning);
  origin.decimal_comma = csv.decimal_comma();
  if (options.keep_rows) origin.words = boolean_words(database, csv, relation);
  if (!options.keep_rows || text_bytes(files) > database.memory_limit() / 2) return relation;
  try {
    return kept(database, relation);
  } catch (const SqlError& error) {
    // A later value did not fit the type that the first rows suggested: read all rows to find the type.
    if (error.type() != DUCKDB_ERROR_CONVERSION) throw;
    return kept(database, csv.relation(CsvRelation::Sample::everything));
  }
}

std::string open_json(const Database& database, const Origin& origin, const ReadOptions& options) {
  const std::vector<std::string> files = matching_files(database, origin);
  const std::string relation = fmt::format("read_json({})", sql_files(files));
  const bool keep = options.keep_rows && text_bytes(files) <= database.memory_limit() / 2;
  return keep ? kept(database, relation) : relation;
}

std::string open_parquet(const Database& database, const Origin& origin) {
  const std::vector<std::string> files = matching_files(database, origin);
  refuse_duplicates(parquet_columns(database, files.front()), fmt::format("the file '{}'", files.front()));
  return fmt::format("read_parquet({})", sql_files(files));
}

std::string open_query(const Database& database, const Origin& origin, const ReadOptions& options) {
  refuse_duplicates(database.select_columns(origin.text), "the result of the query");
  // The line break ends a comment at the end of the query.
  const std::string relation = fmt::format("({}\n)", origin.text);
  return options.keep_rows ? kept(database, relation) : relation;
}

std::string open_relation(const Database& database, Origin& origin, const ReadOptions& options) {
  switch (origin.format) {
    case TableFormat::csv:
    case TableFormat::tsv:
      return open_csv(database, origin, options);
    case TableFormat::json:
      return open_json(database, origin, options);
    case TableFormat::parquet:
      return open_parquet(database, origin);
    case TableFormat::query:
      break;
  }
  return open_query(database, origin, options);
}

Origin origin_of(const SpooledInput& spooled) {
  Origin origin{spooled.path(), TableFormat::csv, false, true};
  if (std::filesystem::file_size(spooled.path()) == 0)
    table::refuse_data("empty_file", "{table} is empty.", {{"table", "The standard input"}});
  if (begins_as_gzip(spooled.path()))
    table::refuse_data(
        "compressed_standard_input",
        "The standard input is compressed (gzip). Expand it on the way, for example with \"gzip "
        "-dc\", or name the file.");
  return origin;
}

}  // namespace

Table::Table(Origin origin, std::shared_ptr<const Database> database, std::string relation,
             std::shared_ptr<const SpooledInput> spooled)
    : origin_(std::move(origin)),
      spooled_(std::move(spooled)),
      database_(std::move(database)),
      relation_(std::move(relation)) {
  Stream described = database_->stream(
      fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", relation_));
  while (const auto chunk = described.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) {
      const std::string sql_type = chunk->text(1, row);
      columns_.push_back({chunk->text(0, row), column_type(sql_type), sql_type, 0, {}});
    }
}

void Table::read_texts_as_numbers(const std::vector<std::string>& number_columns) {
  std::vector<std::size_t> texts;
  std::vector<std::size_t> of_numbers;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].sql_type != "VARCHAR") continue;
    if (std::ranges::find(number_columns, columns_[c].name) != number_columns.end())
      of_numbers.push_back(c);
    else if (origin_.is_text_file())
      texts.push_back(c);
  }
  const auto settle = [this](const std::vector<std::size_t>& columns, LeadingZeros zeros) {
    for (const TextNumbers& found : find_text_numbers(*database_, relation_, columns_, columns, zeros)) {
      TableColumn& column = columns_[found.column];
      column.type = table::ColumnType::number;
      column.marked = found.marked;
      column.marker = found.marker;
    }
  };
  settle(texts, LeadingZeros::codes);
  settle(of_numbers, LeadingZeros::numbers);
}

std::vector<std::string> Table::column_names() const {
  std::vector<std::string> names;
  for (const TableColumn& column : columns_) names.push_back(column.name);
  return names;
}

const TableColumn& Table::column(std::string_view name) const {
  return columns_[table::find_column(column_names(), name, origin_.name())];
}

Table open_table(std::string_view text, const ReadOptions& options) {
  std::shared_ptr<const SpooledInput> spooled;
  if (is_standard_input(text))
    spooled = std::make_shared<const SpooledInput>();
  else if (is_open_pipe(text))
    spooled = std::make_shared<const SpooledInput>(std::string(text));
  Origin origin = spooled ? origin_of(*spooled) : parse_origin(text);
  const auto database =
      std::make_shared<const Database>(DatabaseOptions{options.threads, options.memory_limit});
  return explaining(origin, [&] {  // opening may find out that numbers have a decimal comma
    for (const std::string& file : input_files(*database, origin)) check_compressed(file);
    std::string relation = open_relation(*database, origin, options);
    Table table(origin, database, std::move(relation), spooled);
    // A model has fixed types; only training must find out whether texts are numbers.
    if (options.keep_rows) table.read_texts_as_numbers(options.number_columns);
    return table;
  });
}

}  // namespace kore::duckdb
