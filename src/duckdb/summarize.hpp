#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "duckdb/table.hpp"
#include "kore/column_choice.hpp"
#include "kore/encoding.hpp"

namespace kore::duckdb {

struct SummaryOptions {
  /// Levels of a category that are listed; of more, the most frequent.
  std::size_t level_limit = 10'000;
  /// Bytes that the values of a column may take while its median is found; beyond, it is found in passes. 0:
  /// from the table's limit.
  std::uint64_t median_bytes = 0;
};

/// What has to be known about a table before its rows are encoded.
struct TableSummary {
  std::string target;
  table::ColumnType target_type =
      table::ColumnType::number;     ///< Boolean: texts of yes and no, which count as 1 and 0.
  std::string weights;               ///< Empty: none.
  std::uint64_t rows = 0;            ///< Rows that have a target: those that are used.
  std::uint64_t missing_target = 0;  ///< Rows that have none, and are left out.
  double target_minimum = 0;
  double target_maximum = 0;
  std::vector<table::ColumnSummary>
      columns;                     ///< The features, in the table's order, over the rows that are used.
  std::vector<std::string> notes;  ///< Sentences: how values were read that could be read otherwise.
};

/// Reads a table once for the counts, once for the medians, once for the levels, and once more where a number
/// seems to take two values only. Throws `invalid_argument`
/// for names that are not there, `invalid_data` for a target that is text (but for yes and no) or has one
/// value only, infinite values, weights that are missing, negative or all on one row, features that are
/// neither numbers nor texts, and tables without rows.
TableSummary summarize(const Table& table, const table::ColumnChoice& choice,
                       const SummaryOptions& options = {});

}  // namespace kore::duckdb
