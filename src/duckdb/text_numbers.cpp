#include "duckdb/text_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "duckdb/sql.hpp"
#include "table/text_values.hpp"

namespace kore::duckdb {
namespace {

/// Most texts show that they are none within the first rows.
constexpr int rows_that_tell_most = 2048;
constexpr std::size_t answers_per_column = 4;

std::string questions(const std::string& name, LeadingZeros zeros) {
  const std::string text = unmarked_text(name);
  const std::string no_code = zeros == LeadingZeros::numbers ? std::string("true")
                                                             : fmt::format("NOT regexp_matches({}, {})", text,
                                                                           sql_literal(table::code_pattern));
  return fmt::format(
      "count({0}), count({1}) FILTER ({3}), count({2}) - count({0}), min({2}) FILTER ({0} IS NULL)", text,
      try_number_expression(name, table::ColumnType::number), as_sql(name), no_code);
}

/// Those of the candidates that hold numbers, as far as the relation's rows tell.
std::vector<TextNumbers> those_of_numbers(const Database& database, const std::string& relation,
                                          const std::vector<TableColumn>& columns,
                                          const std::vector<TextNumbers>& candidates, LeadingZeros zeros) {
  std::vector<std::string> selected;
  for (const TextNumbers& candidate : candidates)
    selected.push_back(questions(columns[candidate.column].name, zeros));
  const Chunk row =
      database.first_rows(fmt::format("SELECT {} FROM {}", fmt::join(selected, ", "), relation));
  std::vector<TextNumbers> found;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const std::size_t at = c * answers_per_column;
    if (row.count(at, 0) == row.count(at + 1, 0))
      found.push_back({candidates[c].column, row.count(at, 0), row.count(at + 2, 0), row.text(at + 3, 0)});
  }
  return found;
}

}  // namespace

std::vector<TextNumbers> find_text_numbers(const Database& database, const std::string& relation,
                                           const std::vector<TableColumn>& columns,
                                           const std::vector<std::size_t>& texts, LeadingZeros zeros) {
  std::vector<TextNumbers> candidates;
  for (const std::size_t column : texts) candidates.push_back({column, 0, 0, {}});
  const std::string beginning = fmt::format("(FROM {} LIMIT {})", relation, rows_that_tell_most);
  for (const std::string& rows : {beginning, relation}) {
    if (candidates.empty()) return {};
    candidates = those_of_numbers(database, rows, columns, candidates, zeros);
  }
  // Markers alone are no numbers.
  std::erase_if(candidates, [](const TextNumbers& candidate) { return candidate.numbers == 0; });
  return candidates;
}

}  // namespace kore::duckdb
