#pragma once

#include <span>
#include <string>
#include <vector>

#include "duckdb/database.hpp"
#include "duckdb/table.hpp"
#include "kore/design.hpp"
#include "kore/encoding.hpp"

/// Facts about columns that need more than one pass of aggregates.
namespace kore::duckdb {

/// Medians of DOUBLE columns of a relation, NULLs left out; `counts` are the numbers of values that are not
/// NULL, at least one each. In one query if the values fit into `bytes`, else in passes with little memory.
std::vector<double> medians(const Database& database, const std::vector<std::string>& columns,
                            const std::string& relation, const std::vector<std::uint64_t>& counts,
                            std::uint64_t bytes);

/// Whether DOUBLE columns of a relation have no values but their minimum and their maximum.
std::vector<bool> have_two_values(const Database& database, const std::vector<std::string>& columns,
                                  const std::string& relation, const std::vector<Range>& ranges);

/// Counts how often each text of each VARCHAR column occurs, into the summary of the same place. A summary
/// lists `limit` levels, the most frequent.
void count_levels(const Database& database, const std::vector<std::string>& columns,
                  const std::string& relation, std::size_t limit,
                  std::span<table::ColumnSummary* const> summaries);

}  // namespace kore::duckdb
