#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore::experiments {

/// Numbers in rows and columns, row by row. In a ranking: a row per data set, a column per method.
struct Grid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;

  Grid(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}

  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
  std::span<const double> row(std::size_t index) const {
    return std::span(values).subspan(index * columns, columns);
  }
  std::span<double> row(std::size_t index) { return std::span(values).subspan(index * columns, columns); }
};

}  // namespace kore::experiments
