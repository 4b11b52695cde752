#include "penalty/roughness.hpp"

#include <algorithm>
#include <array>

namespace kore {
namespace {

using Matrix = std::vector<double>;  // square, row-major

/// Squares of second differences; none where a coordinate has at most two functions, as a straight line has.
Matrix second_differences(std::size_t m) {
  Matrix matrix(m * m);
  constexpr std::array<double, 3> stencil{1, -2, 1};
  for (std::size_t row = 0; row + 2 < m; ++row)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) matrix[(row + i) * m + row + j] += stencil[i] * stencil[j];
  return matrix;
}

/// Squared distance from the mean: the norm of the smallest of all coefficients with the same effect.
Matrix spread(std::size_t m) {
  Matrix matrix(m * m, -1.0 / static_cast<double>(m));
  for (std::size_t i = 0; i < m; ++i) matrix[i * m + i] += 1;
  return matrix;
}

/// The part that belongs to the solved columns, all functions but those left out.
Matrix leading_part(const Matrix& matrix, std::size_t m, std::size_t kept) {
  Matrix part(kept * kept);
  for (std::size_t i = 0; i < kept; ++i)
    for (std::size_t j = 0; j < kept; ++j) part[i * kept + j] = matrix[i * m + j];
  return part;
}

Matrix kronecker(const Matrix& a, std::size_t m, const Matrix& b, std::size_t k) {
  Matrix product(m * k * m * k);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t r = 0; r < k; ++r)
        for (std::size_t s = 0; s < k; ++s)
          product[(i * k + r) * m * k + j * k + s] = a[i * m + j] * b[r * k + s];
  return product;
}

void add(Matrix& to, const Matrix& what, double factor) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

struct Coordinate {
  std::size_t columns = 0;
  Matrix rough;
  Matrix size;
};

}  // namespace

std::vector<double> term_roughness(const Design& design, std::size_t term, const RoughnessOptions& options) {
  std::vector<Coordinate> coordinates;
  for (std::size_t c = 0; c < design.terms()[term].order(); ++c) {
    const auto m = static_cast<std::size_t>(design.basis(term, c).functions());
    const std::size_t kept = design.coordinate_columns(term, c);
    coordinates.push_back(
        {kept, leading_part(second_differences(m), m, kept), leading_part(spread(m), m, kept)});
  }
  const double shrinkage = coordinates.size() == 1 ? options.main_shrinkage : options.interaction_shrinkage;
  // Sum over coordinates of (rough there, size elsewhere), and the size everywhere.
  Matrix total;
  for (std::size_t rough = 0; rough <= coordinates.size(); ++rough) {
    Matrix product{1};
    std::size_t columns = 1;
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      product = kronecker(product, columns, c == rough ? coordinates[c].rough : coordinates[c].size,
                          coordinates[c].columns);
      columns *= coordinates[c].columns;
    }
    total.resize(product.size());
    const bool line = coordinates.size() == 1 && coordinates[0].columns == 1;  // nothing else to hold it
    add(total, product, rough < coordinates.size() ? 1.0 : line ? 1.0 : shrinkage);
  }
  return total;
}

}  // namespace kore
