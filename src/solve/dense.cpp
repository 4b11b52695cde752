#include "solve/dense.hpp"

#include <cmath>
#include <numeric>

namespace kore {

double trace(std::span<const double> matrix, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += matrix[i * size + i];
  return sum;
}

double mean_diagonal(std::span<const double> matrix, std::size_t size) {
  return trace(matrix, size) / static_cast<double>(size);
}

void add_to_diagonal(std::span<double> matrix, std::size_t size, double amount) {
  for (std::size_t i = 0; i < size; ++i) matrix[i * size + i] += amount;
}

double trace_of_product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double squared_norm(std::span<const double> vector) {
  return std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
}

double quadratic_form(std::span<const double> matrix, std::span<const double> vector) {
  const std::size_t size = vector.size();
  double total = 0;
  for (std::size_t j = 0; j < size; ++j) {
    const auto column = matrix.subspan(j * size, size);
    total += vector[j] * std::inner_product(column.begin(), column.end(), vector.begin(), 0.0);
  }
  return total;
}

double log_determinant(const Cholesky& cholesky) {
  double sum = 0;
  for (std::size_t i = 0; i < cholesky.size(); ++i)
    sum += 2 * std::log(cholesky.factor()[i * cholesky.size() + i]);
  return sum;
}

std::vector<double> identity(std::size_t size) {
  std::vector<double> matrix(size * size);
  add_to_diagonal(matrix, size, 1);
  return matrix;
}

}  // namespace kore
