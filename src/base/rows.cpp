#include "kore/rows.hpp"

#include "kore/error.hpp"

namespace kore {
namespace {

void check_size(std::size_t values, std::size_t rows, std::size_t columns) {
  if (values == rows * columns) return;
  throw Error(ErrorCode::invalid_data, "table_size_mismatch",
              "A table of {rows} rows and {columns} columns needs {needed} numbers, but {given} were given.",
              {{"rows", rows}, {"columns", columns}, {"needed", rows * columns}, {"given", values}});
}

void check_length(const char* what, std::size_t length, std::size_t rows) {
  if (length == rows) return;
  throw Error(ErrorCode::invalid_data, "length_mismatch",
              "The {what} has {given} values, but the features have {rows} rows. Both must be equal.",
              {{"what", what}, {"given", length}, {"rows", rows}});
}

}  // namespace

MatrixView MatrixView::row_major(std::span<const double> values, std::size_t rows, std::size_t columns) {
  check_size(values.size(), rows, columns);
  std::vector<ColumnView> views(columns);
  for (std::size_t j = 0; j < columns; ++j)
    views[j] = {values.data() + j, static_cast<std::ptrdiff_t>(columns)};
  return {std::move(views), rows};
}

MatrixView MatrixView::column_major(std::span<const double> values, std::size_t rows, std::size_t columns) {
  check_size(values.size(), rows, columns);
  std::vector<ColumnView> views(columns);
  for (std::size_t j = 0; j < columns; ++j) views[j] = {values.data() + j * rows, 1};
  return {std::move(views), rows};
}

MemorySource::MemorySource(MatrixView x, std::span<const double> y, const RowCounts& weights,
                           std::span<const double> groups)
    : block_{std::move(x), y, weights, groups} {
  check_length("target", y.size(), block_.x.rows());
  if (!weights.empty()) check_length("weight column", weights.values().size(), block_.x.rows());
  if (!groups.empty()) check_length("group column", groups.size(), block_.x.rows());
}

}  // namespace kore
