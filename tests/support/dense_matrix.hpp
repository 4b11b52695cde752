#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace kore::test {

/// A plain matrix, row-major. Its arithmetic is the textbook's, for checking what the engine does cleverly.
class Dense {
 public:
  Dense() = default;
  Dense(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
  Dense(std::size_t rows, std::size_t columns, std::vector<double> values)
      : rows_(rows), columns_(columns), values_(std::move(values)) {
    if (values_.size() != rows * columns) throw std::invalid_argument("a matrix of another size");
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  const std::vector<double>& values() const { return values_; }
  double& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }
  std::span<double> row(std::size_t i) { return {values_.data() + i * columns_, columns_}; }
  std::span<const double> row(std::size_t i) const { return {values_.data() + i * columns_, columns_}; }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> values_;
};

inline Dense transposed(const Dense& a) {
  Dense result(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) result(j, i) = a(i, j);
  return result;
}

inline Dense product(const Dense& a, const Dense& b) {
  if (a.columns() != b.rows()) throw std::invalid_argument("matrices that cannot be multiplied");
  Dense result(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.columns(); ++k)
      for (std::size_t j = 0; j < b.columns(); ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

inline std::vector<double> product(const Dense& a, std::span<const double> x) {
  return product(a, Dense(x.size(), 1, {x.begin(), x.end()})).values();
}

inline double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw std::invalid_argument("vectors of different lengths");
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // std::max would pass over a NaN.
    if (!(std::abs(a[i] - b[i]) <= result)) result = std::abs(a[i] - b[i]);
  }
  return result;
}

}  // namespace kore::test
