#include "duckdb/target_column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "duckdb/database.hpp"
#include "duckdb/sql.hpp"
#include "table/refusals.hpp"
#include "table/text_values.hpp"

namespace kore::duckdb {
namespace {

using table::TableSummary;

/// The values as texts, with markers of missing values as NULL.
std::string text_of(const TableColumn& column) {
  return column.type == table::ColumnType::text
             ? unmarked_text(column.name)
             : fmt::format("({})", text_expression(column.name, column.sql_type));
}

/// A class needs rows and a model of its own; a target of more values is most likely not meant as classes.
constexpr std::size_t most_classes = 100;

/// The values of a target in their order, where there are at most `most_classes`. Empty otherwise.
std::vector<std::string> values_of(const Table& table, const TableColumn& column) {
  std::vector<std::string> values;
  Stream found = table.database().stream(
      fmt::format("SELECT DISTINCT {0} AS v FROM {1} WHERE {0} IS NOT NULL ORDER BY v LIMIT {2}",
                  text_of(column), table.relation(), most_classes + 1));
  while (const auto chunk = found.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) values.push_back(chunk->text(0, row));
  if (values.size() > most_classes) return {};
  const auto number = [](const std::string& value) { return table::parse_number(value); };
  if (std::ranges::all_of(values, [&](const std::string& value) { return number(value).has_value(); }))
    std::ranges::stable_sort(values, {}, [&](const std::string& value) { return *number(value); });
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

bool reads_as_number(const std::string& value) {
  return table::parse_number(value) || table::is_formatted_number(value) || table::has_decimal_comma(value);
}

/// The classes of a text. Empty where it may be a number with a few odd values, which are somebody's mistake,
/// and where the values hardly come twice and so name rows.
std::vector<std::string> classes_of_text(const Table& table, const TableColumn& column) {
  constexpr std::uint64_t rows_per_class = 3;
  std::vector<std::string> values = values_of(table, column);
  if (values.size() < 2 || std::ranges::any_of(values, reads_as_number)) return {};
  if (values.size() == 2) return values;
  return values_in(table, column) < rows_per_class * values.size() ? std::vector<std::string>{} : values;
}

std::vector<std::string> wanted_classes(const Table& table, const TableColumn& column) {
  std::vector<std::string> values = values_of(table, column);
  if (values.empty())
    table::refuse_data(
        "too_many_classes",
        "The target '{column}' has more than {most} values in {table}, which are too many classes.",
        {{"column", column.name}, {"most", most_classes}, {"table", table.origin().name()}});
  return values;
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
  return lower;
}

/// Two ways to write no and yes, if these values are: no first. Others stay in their order.
void put_yes_last(std::vector<std::string>& values) {
  for (std::size_t way = 0; way < table::no_words.size(); ++way)
    if (lowered(values[1]) == table::no_words[way] && lowered(values[0]) == table::yes_words[way])
      std::swap(values[0], values[1]);
}

/// All values that are not positive, as one word.
std::string all_but(const std::string& positive, const std::vector<std::string>& values) {
  if (values.size() == 2) return values[0] == positive ? values[1] : values[0];
  return "not " + positive;
}

/// DuckDB reads a column of yes and no as booleans, whose values are called true and false.
std::string in_words_of(const TableColumn& column, const std::string& positive) {
  if (column.type != table::ColumnType::boolean) return positive;
  for (std::size_t way = 0; way < table::no_words.size(); ++way) {
    if (lowered(positive) == table::yes_words[way]) return "true";
    if (lowered(positive) == table::no_words[way]) return "false";
  }
  return positive;
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
  summary.notes.emplace_back(
      "yes_or_no_target", "The target '{target}' is {no} or {yes}: {yes} counts as 1 and {no} as 0.",
      std::vector<Argument>{
          {"target", column.name}, {"no", summary.target_levels[0]}, {"yes", summary.target_levels[1]}});
}

}  // namespace

void read_target_type(const Table& table, const TableColumn& column, const table::ColumnChoice& choice,
                      TableSummary& summary) {
  const std::string positive = in_words_of(column, choice.positive);
  if (!positive.empty()) {
    if (!has_value(table, column, positive))
      table::refuse_data(
          "no_positive_row", "No row of {table} has '{value}' in the target '{column}'.",
          {{"table", table.origin().name()}, {"value", choice.positive}, {"column", column.name}});
    summary.target_levels = {all_but(positive, two_values_of(table, column)), positive};
    summary.target_type = table::ColumnType::text;
  } else if (column.type == table::ColumnType::text || choice.classes) {
    std::vector<std::string> values =
        choice.classes ? wanted_classes(table, column) : classes_of_text(table, column);
    if (values.size() < 2) return;
    if (values.size() == 2) put_yes_last(values);
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
