#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kore/rows.hpp"

namespace kore::table {

/// Rows in memory that this object owns, column by column.
class OwnedRows final : public RowSource {
 public:
  OwnedRows(std::vector<std::vector<double>> columns, std::vector<double> y, std::vector<double> weights,
            std::vector<double> groups = {});

  std::size_t columns() const override { return columns_.size(); }
  std::size_t rows() const { return y_.size(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override { visit(block()); }
  bool in_memory() const override { return true; }
  /// All of the rows. The view is valid as long as this object.
  RowBlock block() const;

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<double> y_;
  std::vector<double> weights_;
  std::vector<double> groups_;
};

/// Reads a source once and keeps its rows. `expected_rows` saves memory where the number is known beforehand.
OwnedRows materialize(const RowSource& source, std::size_t expected_rows = 0);

}  // namespace kore::table
