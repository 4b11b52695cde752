#include "data/summarize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/column_queries.hpp"
#include "data/duck/database.hpp"
#include "data/duck/sql.hpp"
#include "data/explain.hpp"
#include "kore/error.hpp"

namespace kore::data {
namespace {

/// A quarter of the reading memory for the values that medians are found in: levels and file buffers need the
/// rest.
constexpr std::uint64_t median_share = 4;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::invalid_data, sentence); }

void check_feature_type(const TableColumn& column, const Origin& origin) {
  if (column.type) return;
  refuse(
      fmt::format("Column '{}' of {} holds values of type {}, which are neither numbers nor texts. Leave it "
                  "out with --drop "
                  "{}, or turn it into numbers or texts in a query.",
                  column.name, origin.name(), column.sql_type, as_argument(column.name)));
}

/// Says what a target of text holds, because the reason is often a single value that is not a number.
[[noreturn]] void refuse_text(const Table& table, const TableColumn& column, const std::string& part) {
  const std::string number = try_number_expression(column.name, ColumnType::number);
  const std::string text = text_expression(column.name, column.sql_type);
  const Chunk found = table.database().first_rows(
      fmt::format("SELECT count({0}), count({1}), min({0}) FILTER ({1} IS NULL), count(*) FROM {2}", text,
                  number, table.relation()));
  // A column without a single value reads as text too.
  if (found.count(3, 0) == 0) refuse(fmt::format("There are no rows in {}.", table.origin().name()));
  if (found.count(0, 0) == 0)
    refuse(
        fmt::format("The {} '{}' has no value in any row of {}.", part, column.name, table.origin().name()));
  refuse(fmt::format("The {} '{}' must be a number, but {} of its {} values in {} are not, for example '{}'.",
                     part, column.name, found.count(0, 0) - found.count(1, 0), found.count(0, 0),
                     table.origin().name(), found.text(2, 0)));
}

void check_number(const Table& table, const TableColumn& column, const std::string& part) {
  if (column.type == ColumnType::text) refuse_text(table, column, part);
  if (!column.type)
    refuse(fmt::format("The {} '{}' must be a number, but {} has values of type {} there.", part, column.name,
                       table.origin().name(), column.sql_type));
}

/// The columns of a summary as SQL: numbers are called n0, n1, ..., texts t0, t1, ..., the target y, the
/// weights w.
struct SummaryColumns {
  std::vector<std::string> numbers;
  std::vector<std::string> texts;
  std::string relation;       ///< All rows, as those columns.
  std::string used_relation;  ///< The rows that have a target.
};

SummaryColumns summary_columns(const Table& table, const ChosenColumns& chosen) {
  const auto number = [&](std::size_t column) {
    const TableColumn& c = table.columns()[column];
    return number_expression(c.name, c.sql_type, ColumnType::number);
  };
  SummaryColumns sql;
  std::vector<std::string> selected{fmt::format("{} AS y", number(chosen.target))};
  if (chosen.weights) selected.push_back(fmt::format("{} AS w", number(*chosen.weights)));
  for (std::size_t f = 0; f < chosen.features.size(); ++f) {
    const TableColumn& column = table.columns()[chosen.features[f]];
    const bool category = chosen.categorical[f] || column.type == ColumnType::text;
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
Chunk aggregates(const Database& database, const SummaryColumns& sql, bool weighted) {
  std::vector<std::string> wanted{"count(*)", "min(y)", "max(y)"};
  if (weighted) wanted.insert(wanted.end(), {"count(*) - count(w)", "min(w)", "max(w)"});
  for (const std::string& n : sql.numbers)
    for (const std::string aggregate : {"count", "min", "max"})
      wanted.push_back(fmt::format("{}({})", aggregate, n));
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

void read_target(Cursor& values, std::uint64_t all, const std::string& table, TableSummary& summary) {
  summary.rows = values.count();
  summary.missing_target = all - summary.rows;
  summary.target_minimum = values.number();
  summary.target_maximum = values.number();
  if (all == 0) refuse(fmt::format("There are no rows in {}.", table));
  if (summary.rows == 0)
    refuse(fmt::format("The target '{}' has no value in any row of {}.", summary.target, table));
  if (summary.target_minimum == summary.target_maximum)
    refuse(fmt::format("The target '{}' is {} in every row of {}: there is nothing to predict.",
                       summary.target, summary.target_minimum, table));
}

void read_weights(Cursor& values, const std::string& table, const TableSummary& summary) {
  const std::uint64_t missing = values.count();
  const double minimum = values.number();
  const double maximum = values.number();
  if (missing > 0)
    refuse(fmt::format(
        "The weights '{}' have no value in {} rows of {}. Give every row a weight; 0 leaves it out.",
        summary.weights, missing, table));
  if (minimum < 0)
    refuse(fmt::format("The weights '{}' of {} go down to {}, but a weight cannot be negative.",
                       summary.weights, table, minimum));
  if (maximum == 0) refuse(fmt::format("The weights '{}' are 0 in every row of {}.", summary.weights, table));
}

/// The values of the features, once for the numbers and then for the texts, as `aggregates` asked for them.
void read_features(Cursor& values, std::vector<ColumnSummary>& columns) {
  for (ColumnSummary& column : columns) {
    if (column.is_category()) continue;
    column.missing = column.rows - values.count();
    column.minimum = values.number();
    column.maximum = values.number();
  }
  for (ColumnSummary& column : columns) {
    if (!column.is_category()) continue;
    column.missing = column.rows - values.count();
  }
}

void read_inner_values(const Database& database, const SummaryColumns& sql, std::uint64_t bytes,
                       std::vector<ColumnSummary>& columns) {
  std::vector<ColumnSummary*> numbers;
  std::vector<std::string> names;
  std::vector<std::uint64_t> counts;
  std::vector<Range> ranges;
  std::size_t number = 0;
  for (ColumnSummary& column : columns) {
    if (column.is_category()) continue;
    const std::string& name = sql.numbers[number++];
    if (column.present() == 0) continue;
    numbers.push_back(&column);
    names.push_back(name);
    counts.push_back(column.present());
    ranges.push_back({column.minimum, column.maximum});
  }
  const std::vector<double> found = medians(database, names, sql.used_relation, counts, bytes);
  const std::vector<bool> two_values = have_two_values(database, names, sql.used_relation, ranges);
  for (std::size_t c = 0; c < found.size(); ++c) {
    numbers[c]->median = found[c];
    numbers[c]->two_values = two_values[c] && ranges[c].lowest < ranges[c].highest;
  }
}

void read_levels(const Database& database, const SummaryColumns& sql, std::size_t limit,
                 std::vector<ColumnSummary>& columns) {
  std::vector<LevelCounts> counts = level_counts(database, sql.texts, sql.used_relation, limit);
  std::size_t text = 0;
  for (ColumnSummary& column : columns) {
    if (!column.is_category()) continue;
    column.distinct = counts[text].distinct;
    column.levels = std::move(counts[text].levels);
    column.numeric_texts = counts[text].numeric_texts;
    column.odd_text = std::move(counts[text].odd_text);
    ++text;
  }
}

}  // namespace

TableSummary summarize(const Table& table, const ColumnChoice& choice, const SummaryOptions& options) {
  const std::string name = table.origin().name();
  const ChosenColumns chosen = choose_columns(table.column_names(), choice, name);
  return explaining(table.origin(), [&] {
    check_number(table, table.columns()[chosen.target], "target");
    if (chosen.weights) check_number(table, table.columns()[*chosen.weights], "weights column");
    for (const std::size_t column : chosen.features)
      check_feature_type(table.columns()[column], table.origin());

    TableSummary summary;
    summary.target = choice.target;
    summary.weights = choice.weights;
    const SummaryColumns sql = summary_columns(table, chosen);
    const std::uint64_t all =
        table.database().first_rows(fmt::format("SELECT count(*) FROM {}", table.relation())).count(0, 0);
    const Chunk row = aggregates(table.database(), sql, chosen.weights.has_value());
    Cursor values(row);
    read_target(values, all, name, summary);
    if (chosen.weights) read_weights(values, name, summary);
    for (std::size_t f = 0; f < chosen.features.size(); ++f) {
      const TableColumn& column = table.columns()[chosen.features[f]];
      ColumnSummary entry;
      entry.name = column.name;
      entry.type = *column.type;
      entry.categorical = chosen.categorical[f];
      entry.rows = summary.rows;
      summary.columns.push_back(std::move(entry));
    }
    read_features(values, summary.columns);
    const std::uint64_t bytes =
        options.median_bytes > 0 ? options.median_bytes : table.database().memory_limit() / median_share;
    read_inner_values(table.database(), sql, bytes, summary.columns);
    read_levels(table.database(), sql, options.level_limit, summary.columns);
    return summary;
  });
}

}  // namespace kore::data
