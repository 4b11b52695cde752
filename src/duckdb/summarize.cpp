#include "duckdb/summarize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "duckdb/chunk_encoder.hpp"
#include "duckdb/column_queries.hpp"
#include "duckdb/database.hpp"
#include "duckdb/explain.hpp"
#include "duckdb/sql.hpp"
#include "duckdb/target_column.hpp"
#include "table/groups.hpp"
#include "table/refusals.hpp"
#include "table/target_values.hpp"
#include "table/text_values.hpp"

namespace kore::duckdb {
namespace {

using table::TableSummary;

/// A quarter of the reading memory for the values that medians are found in: levels and file buffers need the
/// rest.
constexpr std::uint64_t median_share = 4;

using table::refuse_data;

[[noreturn]] void refuse_no_rows(const std::string& table) {
  refuse_data("no_rows", "There are no rows in {table}.", {{"table", table}});
}

/// `part` is "target" or "weights column".
[[noreturn]] void refuse_no_values(std::string_view part, const std::string& column,
                                   const std::string& table) {
  refuse_data("no_values", "The {part} '{column}' has no value in any row of {table}.",
              {{"part", part}, {"column", column}, {"table", table}});
}

void check_feature_type(const TableColumn& column, const Origin& origin) {
  if (column.type) return;
  refuse_data(
      "unusable_type",
      "Column '{column}' of {table} holds values of type {type}, which are neither numbers nor texts.",
      {{"column", column.name}, {"table", origin.name()}, {"type", column.sql_type}});
}

std::string comma_advice(const TableColumn& column) {
  return fmt::format(" Decimal commas become points in a query: {}.", without_commas(column.name));
}

/// Says what a target of text holds, because the reason is often a single value that is not a number.
[[noreturn]] void refuse_text(const Table& table, const TableColumn& column, const std::string& part) {
  const std::string number = try_number_expression(column.name, table::ColumnType::number);
  const std::string text = text_expression(column.name, column.sql_type);
  const Chunk found = table.database().first_rows(
      fmt::format("SELECT count({0}), count({1}), min({0}) FILTER ({1} IS NULL), count(*) FROM {2}", text,
                  number, table.relation()));
  // A column without a single value reads as text too.
  if (found.count(3, 0) == 0) refuse_no_rows(table.origin().name());
  if (found.count(0, 0) == 0) refuse_no_values(part, column.name, table.origin().name());
  const std::string example = found.text(2, 0);
  refuse_data("text_instead_of_number",
              "The {part} '{column}' must be a number, but {odd} of its {values} values in {table} are not, "
              "for example '{text}'.{advice}",
              {{"part", part},
               {"column", column.name},
               {"odd", found.count(0, 0) - found.count(1, 0)},
               {"values", found.count(0, 0)},
               {"table", table.origin().name()},
               {"text", example},
               {"advice", table::has_decimal_comma(example) ? comma_advice(column) : ""}});
}

void note_dates(const Origin& origin, TableSummary& summary) {
  summary.date_format = origin.date_format;
  if (origin.other_date_format.empty()) return;
  const bool day_first = origin.date_format.starts_with("%d");
  summary.notes.emplace_back("day_or_month_first",
                             "Dates in column '{column}' of {table} could have the day or the month first; "
                             "they are read with the {first} "
                             "first ({format}).",
                             std::vector<Argument>{{"column", origin.date_column},
                                                   {"table", origin.name()},
                                                   {"first", day_first ? "day" : "month"},
                                                   {"format", origin.date_format},
                                                   {"other", origin.other_date_format}});
}

void note_texts_as_numbers(const TableColumn& column, std::vector<Message>& notes) {
  if (column.sql_type != "VARCHAR" || column.type != table::ColumnType::number) return;
  std::vector<Argument> arguments{{"column", column.name}};
  if (column.marked == 0) {
    notes.emplace_back("texts_are_numbers",
                       "Column '{column}' is text, but all of its values are numbers and are read as such.",
                       std::move(arguments));
    return;
  }
  arguments.insert(arguments.end(), {{"marker", column.marker}, {"rows", column.marked}});
  notes.emplace_back("markers_are_missing",
                     column.marked == 1
                         ? "Column '{column}' has '{marker}' in {rows} row where others have numbers; that "
                           "counts as missing."
                         : "Column '{column}' has '{marker}' in {rows} rows where others have numbers; that "
                           "counts as missing.",
                     std::move(arguments));
}

void check_number(const Table& table, const TableColumn& column, const std::string& part) {
  if (column.type == table::ColumnType::text) refuse_text(table, column, part);
  if (!column.type)
    refuse_data("type_instead_of_number",
                "The {part} '{column}' must be a number, but {table} has values of type {type} there.",
                {{"part", part},
                 {"column", column.name},
                 {"table", table.origin().name()},
                 {"type", column.sql_type}});
}

/// A row without an offset has no target, either: what is left of it is not known.
void check_offset(const Table& table, std::size_t place) {
  const TableColumn& column = table.columns()[place];
  check_number(table, column, "offset");
  const std::string number = number_expression(column.name, column.sql_type, table::ColumnType::number);
  const Chunk found = table.database().first_rows(fmt::format(
      "SELECT count(*) - count({0}), count(*) FILTER (isinf({0})) FROM {1}", number, table.relation()));
  if (found.count(0, 0) + found.count(1, 0) > 0)
    table::refuse_offsets(column.name, found.count(0, 0) + found.count(1, 0), table.origin().name());
}

/// The columns of a summary as SQL: numbers are called n0, n1, ..., texts t0, t1, ..., the target y, the
/// weights w, the groups g.
struct SummaryColumns {
  std::vector<std::string> numbers;
  std::vector<std::string> texts;
  std::string relation;       ///< All rows, as those columns.
  std::string used_relation;  ///< The rows that have a target.
};

SummaryColumns summary_columns(const Table& table, const table::ChosenColumns& chosen,
                               const TableSummary& summary) {
  const auto number = [&](std::size_t column) {
    const TableColumn& c = table.columns()[column];
    return number_expression(c.name, c.sql_type, table::ColumnType::number);
  };
  SummaryColumns sql;
  std::vector<std::string> selected{fmt::format("{} AS y", target_expression(table, summary))};
  if (chosen.weights) selected.push_back(fmt::format("{} AS w", weight_expression(table, summary)));
  if (chosen.group)
    selected.push_back(fmt::format("{} AS g", group_expression(table.columns()[*chosen.group])));
  for (std::size_t f = 0; f < chosen.features.size(); ++f) {
    const TableColumn& column = table.columns()[chosen.features[f]];
    const bool category = chosen.categorical[f] || column.type == table::ColumnType::text;
    auto& names = category ? sql.texts : sql.numbers;
    names.push_back(fmt::format("{}{}", category ? "t" : "n", names.size()));
    selected.push_back(fmt::format(
        "{} AS {}", category ? text_expression(column.name, column.sql_type) : number(chosen.features[f]),
        names.back()));
  }
  sql.relation = fmt::format("(SELECT {} FROM {})", fmt::join(selected, ", "), table.relation());
  sql.used_relation = fmt::format("(FROM {} WHERE y IS NOT NULL)", sql.relation);
  return sql;
}

/// Everything that one row of aggregates can tell about the rows that have a target, in a single pass.
Chunk aggregates(const Database& database, const SummaryColumns& sql, const table::ChosenColumns& chosen,
                 bool guess_medians) {
  std::vector<std::string> wanted{"count(*)", "min(y)", "max(y)", "count(*) FILTER (y NOT IN (0, 1))",
                                  "count(*) FILTER (y < 0 OR y <> trunc(y))"};
  if (chosen.weights)
    wanted.insert(wanted.end(), {"count(*) - count(w)", "min(w)", "max(w)", "count(*) FILTER (w > 0)"});
  if (chosen.group) wanted.push_back("count(*) - count(g)");
  for (const std::string& n : sql.numbers) {
    for (const char* one : {"count({0})", "min({0})", "max({0})", "count(*) FILTER ({0} <> trunc({0}))"})
      wanted.push_back(fmt::format(fmt::runtime(one), n));
    if (guess_medians) std::ranges::copy(guesses_of_median(n), std::back_inserter(wanted));
  }
  for (const std::string& t : sql.texts) wanted.push_back(fmt::format("count({})", t));
  return database.first_rows(fmt::format("SELECT {} FROM {}", fmt::join(wanted, ", "), sql.used_relation));
}

/// Takes the values of a row from left to right, in the order they were asked for.
class Cursor {
 public:
  explicit Cursor(const Chunk& row) : row_(row) {}
  std::uint64_t count() { return row_.count(at_++, 0); }
  double number() { return row_.number(at_++, 0); }

 private:
  const Chunk& row_;
  std::size_t at_ = 0;
};

void read_target(Cursor& values, std::uint64_t all, const std::string& table, const Database& database,
                 const SummaryColumns& sql, TableSummary& summary) {
  summary.rows = values.count();
  summary.missing_target = all - summary.rows;
  summary.target_minimum = values.number();
  summary.target_maximum = values.number();
  const bool zero_or_one = values.count() == 0;
  summary.whole_target = values.count() == 0;
  if (zero_or_one && summary.target_levels.empty() && summary.exposure.empty())
    summary.target_levels = {"0", "1"};
  const std::vector<Argument> target_and_table{{"column", summary.target}, {"table", table}};
  if (all == 0) refuse_no_rows(table);
  if (summary.rows == 0) refuse_no_values("target", summary.target, table);
  if (summary.rows == 1)
    refuse_data("one_row_with_target",
                "There is one row with a target in {table}, and a fit needs at least two.", target_and_table);
  const bool finite = std::isfinite(summary.target_minimum) && std::isfinite(summary.target_maximum);
  if (!finite && !summary.exposure.empty()) table::refuse_zero_exposure(summary.exposure, table);
  if (!finite)
    refuse_data(
        "infinite_target",
        "The target '{column}' is infinite in row {row} of {table}. Correct it, or leave the value out: "
        "rows without a target are not used.",
        {{"column", summary.target},
         {"table", table},
         {"row", first_infinite_row(database, "y", sql.relation)}});
  if (summary.target_minimum == summary.target_maximum)
    refuse_data(
        "constant_target_in_table",
        "The target '{column}' is {value} in every row of {table}: there is nothing to predict.",
        {{"column", summary.target}, {"value", fmt::to_string(summary.target_minimum)}, {"table", table}});
}

void read_weights(Cursor& values, const std::string& table, const TableSummary& summary) {
  const std::uint64_t missing = values.count();
  const double minimum = values.number();
  const double maximum = values.number();
  const std::uint64_t weighted = values.count();
  const std::vector<Argument> weights_and_table{{"part", !summary.exposure.empty() ? "exposure"
                                                         : summary.precisions      ? "precision"
                                                                                   : "weight"},
                                                {"column", summary.weights},
                                                {"table", table},
                                                {"rows", missing},
                                                {"lowest", fmt::to_string(minimum)}};
  if (missing > 0)
    refuse_data("missing_weights",
                "The {part}s '{column}' have no value in {rows} rows of {table}. Give every row a {part}; 0 "
                "leaves it out.",
                weights_and_table);
  if (minimum < 0)
    refuse_data("negative_weights_in_table",
                "The {part}s '{column}' of {table} go down to {lowest}, but a {part} cannot be negative.",
                weights_and_table);
  if (maximum == 0)
    refuse_data("no_weight_in_table", "The {part}s '{column}' are 0 in every row of {table}.",
                weights_and_table);
  if (weighted == 1)
    refuse_data("one_row_with_weight",
                "The {part}s '{column}' are 0 in all rows of {table} but one, and one row is too few to fit.",
                weights_and_table);
}

/// The values of the features, once for the numbers and then for the texts, as `aggregates` asked for them.
/// Returns the guesses of medians, of columns that have values.
std::vector<Range> read_features(Cursor& values, const std::string& table, const Database& database,
                                 const SummaryColumns& sql, bool guess_medians,
                                 std::vector<table::ColumnSummary>& columns) {
  std::vector<Range> guesses;
  std::size_t number = 0;
  for (table::ColumnSummary& column : columns) {
    if (column.is_category()) continue;
    column.missing = column.rows - values.count();
    column.minimum = values.number();
    column.maximum = values.number();
    column.whole = values.count() == 0 && column.present() > 0;
    const std::string& name = sql.numbers[number++];
    if (std::isinf(column.minimum) || std::isinf(column.maximum))
      refuse_data("infinite_in_table", "Column '{column}' is infinite in row {row} of {table}.",
                  {{"column", column.name},
                   {"table", table},
                   {"row", first_infinite_row(database, name, sql.relation)}});
    if (!guess_medians) continue;
    const double lowest = values.number();
    const double highest = values.number();
    if (column.present() > 0) guesses.push_back({lowest, highest});
  }
  for (table::ColumnSummary& column : columns) {
    if (!column.is_category()) continue;
    column.missing = column.rows - values.count();
  }
  return guesses;
}

void read_inner_values(const Database& database, const SummaryColumns& sql, std::span<const Range> guesses,
                       std::vector<table::ColumnSummary>& columns) {
  std::vector<table::ColumnSummary*> numbers;
  std::vector<std::string> names;
  std::vector<std::uint64_t> counts;
  std::vector<Range> ranges;
  std::size_t number = 0;
  for (table::ColumnSummary& column : columns) {
    if (column.is_category()) continue;
    const std::string& name = sql.numbers[number++];
    if (column.present() == 0) continue;
    numbers.push_back(&column);
    names.push_back(name);
    counts.push_back(column.present());
    ranges.push_back({column.minimum, column.maximum});
  }
  const std::vector<double> found = medians(database, names, sql.used_relation, counts, guesses);
  const std::vector<bool> two_values = have_two_values(database, names, sql.used_relation, ranges);
  for (std::size_t c = 0; c < found.size(); ++c) {
    numbers[c]->median = found[c];
    numbers[c]->two_values = two_values[c] && ranges[c].lowest < ranges[c].highest;
  }
}

void read_levels(const Database& database, const SummaryColumns& sql, std::size_t limit,
                 std::vector<table::ColumnSummary>& columns) {
  std::vector<table::ColumnSummary*> categories;
  for (table::ColumnSummary& column : columns)
    if (column.is_category()) categories.push_back(&column);
  count_levels(database, sql.texts, sql.used_relation, limit, categories);
}

}  // namespace

table::TableSummary summarize(const Table& table, const table::ColumnChoice& choice,
                              const SummaryOptions& options) {
  const std::string name = table.origin().name();
  const table::ChosenColumns chosen = table::choose_columns(table.column_names(), choice, name);
  return explaining(table.origin(), [&] {
    TableSummary summary;
    summary.target = choice.target;
    summary.words = table.origin().words;
    summary.precisions = !choice.precision.empty();
    summary.weights = summary.precisions ? choice.precision : choice.weights;
    summary.exposure = choice.exposure;
    if (!choice.exposure.empty()) {
      summary.precisions = true;
      summary.weights = choice.exposure;
    }
    summary.offset = choice.offset;
    summary.offset_use = choice.offset_use;
    if (chosen.offset) check_offset(table, *chosen.offset);
    if (chosen.offset && choice.offset_use == table::OffsetUse::exposure) {
      summary.precisions = true;
      summary.weights = summary.exposure = choice.offset;
    }
    summary.group = choice.group;
    read_target_type(table, table.columns()[chosen.target], choice, summary);
    if (summary.target_type != table::ColumnType::text)
      check_number(table, table.columns()[chosen.target], "target");
    if (table.origin().decimal_comma)
      summary.notes.emplace_back("decimal_comma",
                                 "Numbers have a comma for the decimal point in {table} and are read so.",
                                 std::vector<Argument>{{"table", name}});
    note_dates(table.origin(), summary);
    note_texts_as_numbers(table.columns()[chosen.target], summary.notes);
    if (chosen.weights)
      check_number(table, table.columns()[*chosen.weights],
                   !summary.exposure.empty() ? "exposure column"
                   : summary.precisions      ? "precision column"
                                             : "weights column");
    if (chosen.group) check_feature_type(table.columns()[*chosen.group], table.origin());
    for (const std::size_t column : chosen.features)
      check_feature_type(table.columns()[column], table.origin());

    const SummaryColumns sql = summary_columns(table, chosen, summary);
    const std::uint64_t all =
        table.database().first_rows(fmt::format("SELECT count(*) FROM {}", table.relation())).count(0, 0);
    const std::uint64_t bytes =
        options.median_bytes > 0 ? options.median_bytes : table.database().memory_limit() / median_share;
    const bool guess_medians = finds_medians_by_passes(all, sql.numbers.size(), bytes);
    const Chunk row = aggregates(table.database(), sql, chosen, guess_medians);
    Cursor values(row);
    read_target(values, all, name, table.database(), sql, summary);
    if (chosen.weights) read_weights(values, name, summary);
    if (const std::uint64_t missing = chosen.group ? values.count() : 0; missing > 0)
      table::refuse_missing_groups(summary.group, missing, name);
    if (summary.precisions)
      summary.weight_factor = precision_factor(table.database(), "w", sql.used_relation);
    for (std::size_t f = 0; f < chosen.features.size(); ++f) {
      const TableColumn& column = table.columns()[chosen.features[f]];
      table::ColumnSummary entry;
      entry.name = column.name;
      entry.type = *column.type;
      entry.categorical = chosen.categorical[f];
      entry.of_text_file = table.origin().is_text_file();
      entry.rows = summary.rows;
      if (!entry.categorical) note_texts_as_numbers(column, summary.notes);
      summary.columns.push_back(std::move(entry));
    }
    const std::vector<Range> guesses =
        read_features(values, name, table.database(), sql, guess_medians, summary.columns);
    read_inner_values(table.database(), sql, guesses, summary.columns);
    read_levels(table.database(), sql, options.level_limit, summary.columns);
    return summary;
  });
}

}  // namespace kore::duckdb
