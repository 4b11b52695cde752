#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kore/rows.hpp"
#include "kore/table_model.hpp"

namespace kore::story {

/// Counts rows of new data that lie outside the training range, by column. Their predictions are extrapolated
/// and cannot be trusted.
class FarRows {
 public:
  explicit FarRows(const table::TableModel& fitted);

  void add(const MatrixView& x);
  /// A sentence with their number, and the columns with most of them. Empty unless some row lies outside by
  /// more than a tenth of the range: new rows nearly always have values a little beyond those of training.
  std::string warning() const;

 private:
  struct Column {
    std::uint64_t rows = 0;
    double furthest = 0;
    double distance = 0;  ///< From the range, in units of its length.
  };

  std::string about(std::size_t feature) const;

  const table::TableModel& fitted_;
  std::uint64_t rows_ = 0;
  std::vector<Column> columns_;  ///< One per feature.
};

}  // namespace kore::story
