#include "duckdb/target_column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "duckdb/database.hpp"
#include "duckdb/sql.hpp"
#include "table/target_values.hpp"

namespace kore::duckdb {
namespace {

using table::TableSummary;

/// The values as texts, with markers of missing values as NULL.
std::string text_of(const TableColumn& column) {
  return column.type == table::ColumnType::text
             ? unmarked_text(column.name)
             : fmt::format("({})", text_expression(column.name, column.sql_type));
}

/// The values of a target in their order, where there are at most `most_classes`. Empty otherwise.
std::vector<std::string> values_of(const Table& table, const TableColumn& column) {
  std::vector<std::string> values;
  Stream found = table.database().stream(
      fmt::format("SELECT DISTINCT {0} AS v FROM {1} WHERE {0} IS NOT NULL ORDER BY v LIMIT {2}",
                  text_of(column), table.relation(), table::most_classes + 1));
  while (const auto chunk = found.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) values.push_back(chunk->text(0, row));
  if (values.size() > table::most_classes) return {};
  table::sort_numbers(values);
  return values;
}

std::vector<std::string> two_values_of(const Table& table, const TableColumn& column) {
  std::vector<std::string> values = values_of(table, column);
  return values.size() == 2 ? values : std::vector<std::string>{};
}

/// Rows that have a value.
std::uint64_t values_in(const Table& table, const TableColumn& column) {
  const Chunk found =
      table.database().first_rows(fmt::format("SELECT count({}) FROM {}", text_of(column), table.relation()));
  return found.count(0, 0);
}

std::vector<std::string> classes_of_text(const Table& table, const TableColumn& column) {
  std::vector<std::string> values = values_of(table, column);
  const bool several = values.size() > 2;
  return table::classes_of_text(std::move(values), several ? values_in(table, column) : 0);
}

std::vector<std::string> wanted_classes(const Table& table, const TableColumn& column) {
  std::vector<std::string> values = values_of(table, column);
  if (values.empty()) table::refuse_classes(column.name, table.origin().name());
  return values;
}

std::string number_of(const Table& table, const std::string& column) {
  return number_expression(column, table.column(column).sql_type, table::ColumnType::number);
}

bool has_value(const Table& table, const TableColumn& column, const std::string& value) {
  const Chunk found = table.database().first_rows(fmt::format(
      "SELECT count(*) FILTER ({} = {}) FROM {}", text_of(column), sql_literal(value), table.relation()));
  return found.count(0, 0) > 0;
}

void note_levels(const TableColumn& column, TableSummary& summary) {
  if (summary.has_classes()) return;  // the note on the family names them
  const auto words = std::ranges::find(summary.words, column.name, &table::BooleanWords::column);
  const bool own = words != summary.words.end() && column.type == table::ColumnType::boolean;
  summary.notes.push_back(table::yes_or_no_note(
      column.name, own ? table::as_written(summary.target_levels, *words) : summary.target_levels));
}

}  // namespace

void read_target_type(const Table& table, const TableColumn& column, const table::ColumnChoice& choice,
                      TableSummary& summary) {
  const std::string positive =
      column.type ? table::in_words_of(*column.type, choice.positive) : choice.positive;
  if (!positive.empty()) {
    if (!has_value(table, column, positive))
      table::refuse_positive(choice.positive, column.name, table.origin().name());
    summary.target_levels = table::levels_of_positive(positive, two_values_of(table, column));
    summary.target_type = table::ColumnType::text;
  } else if (column.type == table::ColumnType::text || choice.classes) {
    std::vector<std::string> values =
        choice.classes ? wanted_classes(table, column) : classes_of_text(table, column);
    if (values.size() < 2) return;
    if (values.size() == 2) table::put_yes_last(values);
    summary.target_levels = std::move(values);
    summary.target_type = table::ColumnType::text;
  } else if (column.type == table::ColumnType::boolean) {
    summary.target_levels = {"false", "true"};
  } else {
    return;
  }
  note_levels(column, summary);
}

std::string target_expression(const Table& table, const TableSummary& summary) {
  const TableColumn& column = table.column(summary.target);
  if (summary.target_type == table::ColumnType::text) {
    const std::string text = text_of(column);
    if (summary.has_classes())
      return fmt::format("(CASE WHEN {0} IS NOT NULL THEN list_position([{1}], {0})::DOUBLE - 1 END)", text,
                         sql_list(summary.target_levels));
    return fmt::format(
        "(CASE WHEN {0} IS NULL THEN NULL WHEN {0} = {1} THEN 1.0::DOUBLE ELSE 0.0::DOUBLE END)", text,
        sql_literal(summary.target_levels[1]));
  }
  const std::string number = number_expression(summary.target, column.sql_type, summary.target_type);
  if (!summary.exposure.empty())
    return fmt::format("(({}) / ({}))", number, weight_expression(table, summary));
  if (summary.offset.empty()) return number;
  const std::string offset = number_of(table, summary.offset);
  return summary.offset_use == table::OffsetUse::divided ? fmt::format("(({}) / exp({}))", number, offset)
                                                         : fmt::format("(({}) - ({}))", number, offset);
}

std::string weight_expression(const Table& table, const TableSummary& summary) {
  const std::string number = number_of(table, summary.weights);
  return summary.log_exposure() ? fmt::format("exp({})", number) : number;
}

}  // namespace kore::duckdb
