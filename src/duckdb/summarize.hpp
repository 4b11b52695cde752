#pragma once

#include <cstddef>
#include <cstdint>

#include "duckdb/table.hpp"
#include "kore/column_choice.hpp"
#include "table/table_summary.hpp"

namespace kore::duckdb {

struct SummaryOptions {
  /// Levels of a category that are listed; of more, the most frequent.
  std::size_t level_limit = 10'000;
  /// The most bytes that the values of all columns may take while their medians are found; for more, they are
  /// found in a pass with little memory. 0: from the table's limit.
  std::uint64_t median_bytes = 0;
};

/// Reads a table once for the counts, once for the medians, once for the levels, and once more where a number
/// seems to take two values only. Throws `invalid_argument` for names that do not exist. Throws
/// `invalid_data` for a target that is text (except yes and no) or constant, infinite values, weights that
/// are missing, negative or all on one row, missing groups, features that are neither numbers nor texts, and
/// tables without rows.
table::TableSummary summarize(const Table& table, const table::ColumnChoice& choice,
                              const SummaryOptions& options = {});

}  // namespace kore::duckdb
