#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/table.hpp"
#include "kore/design.hpp"
#include "kore/encoding.hpp"

/// Facts about columns that need more than one pass of aggregates.
namespace kore::duckdb {

/// What turns a DOUBLE column of precisions into weights.
double precision_factor(const Database& database, const std::string& column, const std::string& relation);

/// Whether the values of so many columns take more than these bytes while DuckDB finds their medians.
bool finds_medians_by_passes(std::uint64_t rows, std::size_t columns, std::uint64_t bytes);
/// Two aggregates: between them lies the median of a DOUBLE column, most likely.
std::array<std::string, 2> guesses_of_median(const std::string& column);

/// Medians of DOUBLE columns of a relation, NULLs left out; `counts` are the numbers of values that are not
/// NULL, at least one each. In one query; where there are guesses of all columns, in a pass with little
/// memory, and one more where a guess was wrong.
std::vector<double> medians(const Database& database, const std::vector<std::string>& columns,
                            const std::string& relation, const std::vector<std::uint64_t>& counts,
                            std::span<const Range> guesses);

/// Whether DOUBLE columns of a relation have no values but their minimum and their maximum.
std::vector<bool> have_two_values(const Database& database, const std::vector<std::string>& columns,
                                  const std::string& relation, const std::vector<Range>& ranges);

/// The first row of a relation, counted from 1, in which a DOUBLE column is infinite; 0 if there is none.
std::uint64_t first_infinite_row(const Database& database, const std::string& column,
                                 const std::string& relation);

/// Counts how often each text of each VARCHAR column occurs, into the summary of the same place. A summary
/// lists `limit` levels, the most frequent.
void count_levels(const Database& database, const std::vector<std::string>& columns,
                  const std::string& relation, std::size_t limit,
                  std::span<table::ColumnSummary* const> summaries);

}  // namespace kore::duckdb
