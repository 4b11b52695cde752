#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace kore {

class Pass;

/// A view of one column of numbers; it does not own the memory.
struct ColumnView {
  const double* data = nullptr;
  std::ptrdiff_t stride = 1;  ///< Doubles between consecutive rows.

  double operator[](std::size_t row) const { return data[static_cast<std::ptrdiff_t>(row) * stride]; }
};

/// A view of a table of numbers: row-major, column-major or columns in separate places. It does not own the
/// memory and never copies it.
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(std::vector<ColumnView> columns, std::size_t rows) : columns_(std::move(columns)), rows_(rows) {}

  /// Throws `invalid_data` unless `values` holds exactly `rows * columns` numbers.
  static MatrixView row_major(std::span<const double> values, std::size_t rows, std::size_t columns);
  static MatrixView column_major(std::span<const double> values, std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_.size(); }
  const ColumnView& column(std::size_t j) const { return columns_[j]; }
  double operator()(std::size_t row, std::size_t column) const { return columns_[column][row]; }

 private:
  std::vector<ColumnView> columns_;
  std::size_t rows_ = 0;
};

/// How often each row counts, in memory that somebody else owns: a row that counts 2 is a row given twice,
/// one that counts 0 is not there. These are the weights that a caller gives to rows. Empty: every row counts
/// once.
class RowCounts {
 public:
  RowCounts() = default;
  /// From whatever holds numbers: a caller's weights are counts.
  template <class Numbers>
  requires(!std::is_same_v<Numbers, RowCounts> &&
           std::is_convertible_v<const Numbers&, std::span<const double>>) RowCounts(const Numbers& counts)
      : counts_(counts) {}

  bool empty() const { return counts_.empty(); }
  double operator[](std::size_t row) const { return counts_.empty() ? 1.0 : counts_[row]; }
  std::span<const double> values() const { return counts_; }
  /// Of some of the rows.
  RowCounts part(std::size_t first, std::size_t rows) const {
    return counts_.empty() ? RowCounts() : RowCounts(counts_.subspan(first, rows));
  }

 private:
  std::span<const double> counts_;
};

/// Rows on their way through a pass: features, target, weights and groups of equal length.
struct RowBlock {
  MatrixView x;
  std::span<const double> y;
  RowCounts weights;
  /// A number for each row, the same for rows of one group: a patient, a shop, a day. Rows of a group are not
  /// independent of each other, and new rows come from new groups. So the referee of the default method
  /// leaves whole groups out, and values of a number count as repeated only where two groups share them.
  /// Nothing else looks at groups. Empty: there are none.
  std::span<const double> groups = {};

  std::size_t rows() const { return x.rows(); }
  double weight(std::size_t row) const { return weights[row]; }
};

/// Rows that can be read from start to end as often as needed, always the same rows in the same order: arrays
/// in memory, a file, a query. Every algorithm of the engine sees data through this interface.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::size_t columns() const = 0;
  virtual void for_each_block(const std::function<void(const RowBlock&)>& visit) const = 0;
  /// Adds all rows to a pass. Fits of sources that are not in memory read rows in no other way. So a source
  /// whose rows are on other machines needs no blocks: it sends them `Pass::task` and merges the results.
  virtual void run(Pass& pass, int threads) const;
  /// Reading again costs nothing. If false, fits that are known together share one pass, which takes more
  /// memory.
  virtual bool in_memory() const { return false; }
};

/// Arrays in memory. Throws `invalid_data` where the lengths do not match.
class MemorySource final : public RowSource {
 public:
  MemorySource(MatrixView x, std::span<const double> y, const RowCounts& weights = {},
               std::span<const double> groups = {});
  std::size_t columns() const override { return block_.x.columns(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override { visit(block_); }
  bool in_memory() const override { return true; }
  const RowBlock& block() const { return block_; }

 private:
  RowBlock block_;
};

}  // namespace kore
