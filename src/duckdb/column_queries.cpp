#include "duckdb/column_queries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.hpp"
#include "kore/precision.hpp"
#include "table/level_counts.hpp"
#include "table/median.hpp"

namespace kore::duckdb {
namespace {

/// DuckDB grows the arrays it finds a median in by doubling, and joins those of its threads.
constexpr std::uint64_t median_overhead = 4;

/// Rows of a sample that says where medians may be, and the share of all rows around them that is looked at:
/// 4.5 standard errors of a rank on either side.
constexpr int guessing_rows = 65'536;
constexpr double guessed_share = 4.5 / 256;

/// Four megabytes of numbers from which medians are selected.
constexpr std::size_t values_at_a_time = std::size_t{1} << 19;

/// Columns whose levels are counted in the same pass: GROUPING tells them apart by the bits of an integer.
constexpr std::size_t columns_per_pass = 30;

/// A column that takes a third value does so early: most need no look at all the rows.
constexpr int rows_that_tell_most = 10'000;

std::vector<double> medians_by_query(const Database& database, const std::vector<std::string>& columns,
                                     const std::string& relation) {
  std::vector<std::string> aggregates;
  for (const std::string& column : columns) aggregates.push_back(fmt::format("median({})", column));
  const Chunk row =
      database.first_rows(fmt::format("SELECT {} FROM {}", fmt::join(aggregates, ", "), relation));
  std::vector<double> values;
  // Of zeros with both signs it may find either; the sum has none.
  for (std::size_t c = 0; c < columns.size(); ++c) values.push_back(row.number(c, 0) + 0.0);
  return values;
}

void add_column(const std::vector<Chunk>& chunks, std::size_t column, table::MedianSelector& selector) {
  std::vector<double> values;
  for (const Chunk& chunk : chunks) {
    values.clear();
    chunk.append_doubles(column, values);
    selector.add(values);
  }
}

/// One pass of searches for the medians of columns.
void search(const Database& database, const std::vector<std::string>& columns, const std::string& relation,
            std::span<table::MedianSelector* const> searches) {
  // Threads share the columns of as many chunks as make starting them worth while.
  const std::size_t together = values_at_a_time / columns.size();
  Stream rows = database.stream(fmt::format("SELECT {} FROM {}", fmt::join(columns, ", "), relation));
  std::vector<Chunk> chunks;
  std::size_t waiting = 0;
  const auto add_chunks = [&] {
    parallel_for(columns.size(), static_cast<int>(database.threads()),
                 [&](std::size_t c) { add_column(chunks, c, *searches[c]); });
    chunks.clear();
    waiting = 0;
  };
  while (auto chunk = rows.next()) {
    waiting += chunk->rows();
    chunks.push_back(std::move(*chunk));
    if (waiting >= together) add_chunks();
  }
  add_chunks();
  for (table::MedianSelector* one : searches) one->end_pass();
}

/// The first pass looks where the medians of a sample say; few columns need another one.
std::vector<double> medians_by_passes(const Database& database, const std::vector<std::string>& columns,
                                      const std::string& relation, const std::vector<std::uint64_t>& counts,
                                      std::span<const Range> guesses) {
  std::vector<table::MedianSelector> selectors;
  for (std::size_t c = 0; c < columns.size(); ++c)
    selectors.emplace_back(counts[c], guesses[c].lowest, guesses[c].highest, guessed_share);
  for (;;) {
    std::vector<std::string> open;
    std::vector<table::MedianSelector*> searches;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (selectors[c].found()) continue;
      open.push_back(columns[c]);
      searches.push_back(&selectors[c]);
    }
    if (open.empty()) break;
    table::MedianSelector::share_room(searches);
    search(database, open, relation, searches);
  }
  std::vector<double> found;
  for (const table::MedianSelector& selector : selectors) found.push_back(selector.median());
  return found;
}

/// Per column, whether no row lies between the ends of its range.
std::vector<bool> none_between(const Database& database, const std::vector<std::string>& columns,
                               const std::string& relation, const std::vector<Range>& ranges) {
  std::vector<std::string> counts;
  for (std::size_t c = 0; c < columns.size(); ++c)
    counts.push_back(fmt::format("count(*) FILTER ({0} > '{1:.17g}'::DOUBLE AND {0} < '{2:.17g}'::DOUBLE)",
                                 columns[c], ranges[c].lowest, ranges[c].highest));
  const Chunk row = database.first_rows(fmt::format("SELECT {} FROM {}", fmt::join(counts, ", "), relation));
  std::vector<bool> none;
  for (std::size_t c = 0; c < columns.size(); ++c) none.push_back(row.count(c, 0) == 0);
  return none;
}

bool more_frequent(const table::Level& a, const table::Level& b) {
  return a.rows != b.rows ? a.rows > b.rows : a.value < b.value;
}

/// Keeps the most frequent levels only, so that a column of a million texts does not take the memory of a
/// million.
void prune(std::vector<table::Level>& levels, std::size_t limit) {
  if (levels.size() <= limit) return;
  std::nth_element(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(limit), levels.end(),
                   more_frequent);
  levels.resize(limit);
}

/// One query that groups the rows by each of the columns in turn.
void count_in_one_pass(const Database& database, std::span<const std::string> columns,
                       const std::string& relation, std::size_t limit,
                       std::span<table::ColumnSummary* const> summaries) {
  std::vector<std::string> sets;
  for (const std::string& column : columns) sets.push_back(fmt::format("({})", column));
  const std::string names = fmt::format("{}", fmt::join(columns, ", "));
  Stream groups = database.stream(
      fmt::format("SELECT {0}, CAST(GROUPING({0}) AS BIGINT), count(*) FROM {1} GROUP BY GROUPING SETS ({2})",
                  names, relation, fmt::join(sets, ", ")));
  const std::size_t k = columns.size();
  while (const auto chunk = groups.next())
    for (std::size_t row = 0; row < chunk->rows(); ++row) {
      // The bit of the column that was grouped by is zero; the first column has the highest bit.
      const std::uint64_t not_grouped = chunk->count(k, row);
      for (std::size_t c = 0; c < k; ++c) {
        if (((not_grouped >> (k - 1 - c)) & 1U) != 0 || chunk->is_null(c, row)) continue;
        table::count_level(*summaries[c], {chunk->text(c, row), chunk->count(k + 1, row)});
        if (summaries[c]->levels.size() > 2 * limit) prune(summaries[c]->levels, limit);
      }
    }
  for (std::size_t c = 0; c < k; ++c) {
    prune(summaries[c]->levels, limit);
    std::ranges::sort(summaries[c]->levels, more_frequent);
  }
}

}  // namespace

/// DuckDB's own sum depends on which thread came first.
double precision_factor(const Database& database, const std::string& column, const std::string& relation) {
  PrecisionSum sum;
  Stream rows = database.stream(fmt::format("SELECT {} FROM {}", column, relation));
  std::vector<double> precisions;
  while (const auto chunk = rows.next()) {
    precisions.clear();
    chunk->append_doubles(0, precisions);
    sum.add(precisions);
  }
  return sum.factor();
}

bool finds_medians_by_passes(std::uint64_t rows, std::size_t columns, std::uint64_t bytes) {
  return rows * columns * sizeof(double) * median_overhead > bytes;
}

std::array<std::string, 2> guesses_of_median(const std::string& column) {
  const std::string sample = fmt::format("reservoir_quantile({}, [{}, {}], {})", column,
                                         (1 - guessed_share) / 2, (1 + guessed_share) / 2, guessing_rows);
  return {fmt::format("({})[1]", sample), fmt::format("({})[2]", sample)};
}

std::vector<double> medians(const Database& database, const std::vector<std::string>& columns,
                            const std::string& relation, const std::vector<std::uint64_t>& counts,
                            std::span<const Range> guesses) {
  if (columns.empty()) return {};
  return guesses.empty() ? medians_by_query(database, columns, relation)
                         : medians_by_passes(database, columns, relation, counts, guesses);
}

std::vector<bool> have_two_values(const Database& database, const std::vector<std::string>& columns,
                                  const std::string& relation, const std::vector<Range>& ranges) {
  if (columns.empty()) return {};
  std::vector<bool> found = none_between(
      database, columns, fmt::format("(FROM {} LIMIT {})", relation, rows_that_tell_most), ranges);
  std::vector<std::size_t> open;
  std::vector<std::string> names;
  std::vector<Range> ends;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!found[c]) continue;
    open.push_back(c);
    names.push_back(columns[c]);
    ends.push_back(ranges[c]);
  }
  if (open.empty()) return found;
  const std::vector<bool> certain = none_between(database, names, relation, ends);
  for (std::size_t i = 0; i < open.size(); ++i) found[open[i]] = certain[i];
  return found;
}

std::uint64_t first_infinite_row(const Database& database, const std::string& column,
                                 const std::string& relation) {
  const Chunk found = database.first_rows(fmt::format(
      "SELECT coalesce(min(r), 0) FROM (SELECT row_number() OVER () AS r, {} AS v FROM {}) WHERE isinf(v)",
      column, relation));
  return found.count(0, 0);
}

void count_levels(const Database& database, const std::vector<std::string>& columns,
                  const std::string& relation, std::size_t limit,
                  std::span<table::ColumnSummary* const> summaries) {
  for (std::size_t first = 0; first < columns.size(); first += columns_per_pass) {
    const std::size_t count = std::min(columns_per_pass, columns.size() - first);
    count_in_one_pass(database, std::span(columns).subspan(first, count), relation, limit,
                      summaries.subspan(first, count));
  }
}

}  // namespace kore::duckdb
