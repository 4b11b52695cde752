#include "duckdb/chunk_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "duckdb/explain.hpp"
#include "duckdb/sql.hpp"
#include "kore/column_choice.hpp"
#include "table/refusals.hpp"

namespace kore::duckdb {
namespace {

std::string kind_of(table::ColumnType type) {
  switch (type) {
    case table::ColumnType::number:
      return "numbers";
    case table::ColumnType::boolean:
      return "true or false";
    case table::ColumnType::date:
    case table::ColumnType::timestamp:
      return "dates or times";
    case table::ColumnType::text:
      break;
  }
  return "texts";
}

bool is_time(table::ColumnType type) {
  return type == table::ColumnType::date || type == table::ColumnType::timestamp;
}

const TableColumn& needed_column(const Table& table, const table::EncodedColumn& wanted) {
  const auto found = std::find_if(table.columns().begin(), table.columns().end(),
                                  [&](const TableColumn& column) { return column.name == wanted.name; });
  if (found != table.columns().end()) return *found;
  const std::string nearest = table::nearest_name(wanted.name, table.column_names());
  table::refuse_data("column_not_in_table",
                     nearest.empty() ? "There is no column '{column}' in {table}, which the model needs."
                                     : "There is no column '{column}' in {table}, which the model needs. The "
                                       "nearest name is '{nearest}'.",
                     {{"column", wanted.name}, {"table", table.origin().name()}, {"nearest", nearest}});
}

/// A text column may hold values that the encoding can read, or none at all. One value that it cannot read is
/// an error.
void check_texts(const Table& table, const TableColumn& column, const table::EncodedColumn& wanted) {
  const std::string text = text_expression(column.name, column.sql_type);
  Stream odd = table.database().stream(
      fmt::format("SELECT {0} FROM {1} WHERE {2} IS NOT NULL AND {3} IS NULL LIMIT 1", text, table.relation(),
                  unmarked_text(column.name), try_number_expression(column.name, wanted.type)));
  if (const auto chunk = odd.next())
    table::refuse_data(
        "unexpected_text_in_table",
        "Column '{column}' of {table} holds the text '{text}', but the model needs {kind} there.",
        {{"column", column.name},
         {"table", table.origin().name()},
         {"text", chunk->text(0, 0)},
         {"kind", kind_of(wanted.type)}});
}

std::string expression_for(const Table& table, const table::EncodedColumn& wanted) {
  const TableColumn& column = needed_column(table, wanted);
  const bool fits = column.type.has_value() && (wanted.category || column.type == table::ColumnType::text ||
                                                is_time(*column.type) == is_time(wanted.type));
  if (!fits)
    table::refuse_data(
        "unexpected_type",
        "Column '{column}' of {table} has values of type {type}, but the model needs {kind} there.",
        {{"column", column.name},
         {"table", table.origin().name()},
         {"type", column.sql_type},
         {"kind", wanted.category ? "texts" : kind_of(wanted.type)}});
  if (wanted.category) return text_expression(column.name, column.sql_type);
  if (column.type == table::ColumnType::text) check_texts(table, column, wanted);
  return number_or_nan_expression(column.name, column.sql_type, wanted.type);
}

}  // namespace

std::vector<std::string> encoding_expressions(const Table& table, const table::Encoding& encoding) {
  return explaining(table.origin(), [&] {
    std::vector<std::string> expressions;
    for (const table::EncodedColumn& column : encoding.columns)
      expressions.push_back(expression_for(table, column));
    return expressions;
  });
}

bool groups_are_texts(const TableColumn& column) {
  const std::string& type = column.sql_type;
  return column.type == table::ColumnType::text || type == "BIGINT" || type == "UBIGINT" ||
         type == "HUGEINT" || type == "UHUGEINT" || type.starts_with("DECIMAL");
}

std::string group_expression(const TableColumn& column) {
  return groups_are_texts(column)
             ? text_expression(column.name, column.sql_type)
             : number_expression(column.name, column.sql_type, table::ColumnType::number);
}

ChunkEncoder::ChunkEncoder(const table::Encoder& encoder)
    : encoder_(encoder), numbers_(encoder.encoding().columns.size()), texts_(numbers_.size()) {}

void ChunkEncoder::load(const Chunk& chunk) {
  for (std::size_t c = 0; c < numbers_.size(); ++c) {
    numbers_[c].clear();
    texts_[c].clear();
    if (encoder_.encoding().columns[c].category)
      chunk.append_texts(c, texts_[c]);
    else
      chunk.append_doubles(c, numbers_[c]);
  }
}

void ChunkEncoder::encode(std::size_t first, std::size_t rows, std::span<double> out, std::size_t stride,
                          table::EncodeCounts& counts) {
  raw_.clear();
  for (std::size_t c = 0; c < numbers_.size(); ++c)
    raw_.push_back(encoder_.encoding().columns[c].category
                       ? table::RawColumn::texts(std::span(texts_[c]).subspan(first, rows))
                       : table::RawColumn::numbers(std::span(numbers_[c]).subspan(first, rows)));
  encoder_.encode(raw_, rows, out, stride, counts);
}

MatrixView view_rows(std::span<const double> values, std::size_t columns, std::size_t rows,
                     std::size_t stride) {
  std::vector<ColumnView> views(columns);
  for (std::size_t j = 0; j < columns; ++j) views[j] = {values.data() + j * stride, 1};
  return {std::move(views), rows};
}

}  // namespace kore::duckdb
