#include "duckdb/dates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "duckdb/sql.hpp"

namespace kore::duckdb {
namespace {

std::vector<std::string> date_columns(const Database& database, const std::string& relation) {
  Stream found = database.stream(fmt::format(
      "SELECT column_name FROM (DESCRIBE SELECT * FROM {}) WHERE column_type IN ('DATE', 'TIMESTAMP')",
      relation));
  std::vector<std::string> names;
  while (const auto chunk = found.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) names.push_back(chunk->text(0, row));
  return names;
}

/// What is known of the dates of one reading.
struct Reading {
  std::string format;
  std::vector<std::string> columns;  ///< That are dates in this reading.
  bool fits = true;                  ///< No row contradicts it.
  bool doubtful = true;              ///< No day is beyond the twelfth, so that it might be a month.
  int regular = 0;  ///< Columns whose dates are evenly spaced, or all on the same day of the month.
};

Reading read_as(const Database& database, CsvRelation& csv, const std::string& format) {
  Reading reading{format, {}, true, true, 0};
  csv.read_dates_as(format);
  const std::string relation = csv.relation(CsvRelation::Sample::beginning);
  reading.columns = date_columns(database, relation);
  std::vector<std::string> asked;
  for (const std::string& column : reading.columns) {
    const std::string name = as_sql(column);
    asked.push_back(fmt::format("max(day({0})) <= 12", name));
    // Days of the month are all the same, or the span is a whole number of equal steps.
    asked.push_back(
        fmt::format("count(DISTINCT {0}) > 2 AND (min(day({0})) = max(day({0})) OR (SELECT count(DISTINCT "
                    "gap) = 1 FROM (SELECT "
                    "date_diff('day', lag(d) OVER (ORDER BY d), d) AS gap FROM (SELECT DISTINCT {0} AS d "
                    "FROM {1} WHERE {0} IS "
                    "NOT NULL))))",
                    name, relation));
  }
  if (asked.empty()) return reading;
  for (std::string& question : asked) question = fmt::format("CAST(coalesce({}, false) AS BIGINT)", question);
  try {
    const Chunk answers =
        database.first_rows(fmt::format("SELECT {} FROM {}", fmt::join(asked, ", "), relation));
    for (std::size_t c = 0; c < reading.columns.size(); ++c) {
      reading.doubtful = reading.doubtful && answers.count(2 * c, 0) != 0;
      reading.regular += answers.count(2 * c + 1, 0) != 0 ? 1 : 0;
    }
  } catch (const SqlError& error) {
    if (error.type() != DUCKDB_ERROR_CONVERSION) throw;
    reading.fits = false;
  }
  return reading;
}

/// Whether the first is the better one.
bool better(const Reading& a, const Reading& b) {
  if (a.fits != b.fits) return a.fits;
  if (a.columns.size() != b.columns.size()) return a.columns.size() > b.columns.size();
  return a.regular > b.regular;
}

}  // namespace

std::string exchanged(const std::string& format) {
  std::string other = format;
  const std::size_t day = format.find("%d");
  const std::size_t month = format.find("%m");
  if (day == std::string::npos || month == std::string::npos || std::min(day, month) != 0) return {};
  other[day + 1] = 'm';
  other[month + 1] = 'd';
  return other;
}

DateReading settle_dates(const Database& database, CsvRelation& csv, const std::string& before) {
  const std::string found = csv.found_date_format();
  const std::string other = exchanged(found);
  if (other.empty()) return {};
  const bool day_first = found.starts_with("%d");
  const Reading first = read_as(database, csv, day_first ? found : other);
  const Reading second = read_as(database, csv, day_first ? other : found);
  const bool told_apart = better(first, second) || better(second, first);
  const Reading& taken = better(second, first) || (!told_apart && before == second.format) ? second : first;
  csv.read_dates_as(taken.format);
  const bool open = !told_apart && taken.doubtful && before != taken.format && !taken.columns.empty();
  return {taken.format, open ? exchanged(taken.format) : "", open ? taken.columns.front() : ""};
}

}  // namespace kore::duckdb
