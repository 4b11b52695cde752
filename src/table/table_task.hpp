#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/pass.hpp"
#include "table/frame.hpp"
#include "table/running_summary.hpp"

namespace kore::table {

// Passes over the rows of a table that is in several places. A task says what to add up. `TableWork` runs it
// on the rows of one place and merges results of others. The sums go back to the process that made the task.

/// One piece of a table: columns, target and, where rows have them, weights (or precisions) and groups.
struct TablePiece {
  const Frame& frame;
  std::span<const double> y;
  std::span<const double> weights;
  std::span<const double> groups = {};
};

/// The weights of a piece times a factor, which turns precisions into weights. A factor of one copies
/// nothing.
class ScaledWeights {
 public:
  ScaledWeights(std::span<const double> weights, double factor);
  std::span<const double> values() const { return values_; }

 private:
  std::vector<double> scaled_;
  std::span<const double> values_;
};

/// The present pass of a summary, over the columns of the table.
std::vector<std::byte> summary_task(const RunningSummary& summary);
/// A pass of the engine, over the features that an encoding makes of the columns. `weight_factor` turns
/// precisions into weights.
std::vector<std::byte> rows_task(const Encoding& encoding, const Pass& pass, double weight_factor = 1);

/// The result of a task. Throws `corrupt_file` for the result of another task.
struct TableResult {
  std::uint64_t rows = 0;
  std::span<const std::byte> sums;  ///< For `Pass::merge` or `RunningSummary::merge_found`.
};
TableResult open_table_result(std::span<const std::byte> task, std::span<const std::byte> result);

/// Runs a task.
class TableWork {
 public:
  /// Throws `corrupt_file` or `unsupported_version` for bytes that are no task.
  /// `most_bytes` as in `pass_from_task`.
  explicit TableWork(std::span<const std::byte> task, std::optional<std::uint64_t> most_bytes = {});

  void add(const TablePiece& piece, int threads);
  void merge(std::span<const std::byte> result);
  std::vector<std::byte> serialize() const;
  PassFacts facts() const;

 private:
  std::vector<std::byte> task_;
  std::uint64_t rows_ = 0;
  std::optional<RunningSummary> summary_;
  Encoding encoding_;
  double weight_factor_ = 1;
  std::unique_ptr<Pass> pass_;
};

}  // namespace kore::table
