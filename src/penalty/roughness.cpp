#include "penalty/roughness.hpp"

#include <algorithm>
#include <array>

#include "kore/error.hpp"

namespace kore {
namespace {

using Matrix = std::vector<double>;  // square, row-major

/// Squares of second differences.
Matrix second_differences(std::size_t m) {
  Matrix matrix(m * m);
  constexpr std::array<double, 3> stencil{1, -2, 1};
  for (std::size_t row = 0; row + 2 < m; ++row)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) matrix[(row + i) * m + row + j] += stencil[i] * stencil[j];
  return matrix;
}

/// The same of coefficients that begin again behind the last one.
Matrix cyclic_second_differences(std::size_t m) {
  Matrix matrix(m * m);
  constexpr std::array<double, 3> stencil{1, -2, 1};
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        matrix[(row + i) % m * m + (row + j) % m] += stencil[i] * stencil[j];
  return matrix;
}

/// Squared distance from the mean: the squared norm of the smallest coefficients with the same effect.
Matrix spread(std::size_t m) {
  Matrix matrix(m * m, -1.0 / static_cast<double>(m));
  for (std::size_t i = 0; i < m; ++i) matrix[i * m + i] += 1;
  return matrix;
}

/// The part of the matrix that belongs to the solved columns: all functions except the last.
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

void add(Matrix& to, const Matrix& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
}

struct Coordinate {
  std::size_t columns = 0;
  Matrix bends;  // empty where it cannot
  Matrix size;
};

/// Levels have no order, so they have no second differences; a straight line has none either.
bool can_bend(const Design& design, std::size_t term, std::size_t coordinate) {
  const Marginal& marginal = design.marginal(term, coordinate);
  return marginal.basis.degree() > 0 && marginal.different_functions() > 2;
}

Coordinate coordinate_of(const Design& design, std::size_t term, std::size_t coordinate) {
  const Marginal& marginal = design.marginal(term, coordinate);
  const std::size_t m = marginal.different_functions();
  const std::size_t kept = design.coordinate_columns(term, coordinate);
  Coordinate made{kept, {}, leading_part(spread(m), m, kept)};
  if (can_bend(design, term, coordinate))
    made.bends =
        leading_part(marginal.cyclic() ? cyclic_second_differences(m) : second_differences(m), m, kept);
  return made;
}

}  // namespace

std::vector<std::vector<double>> term_penalties(const Design& design, std::size_t term) {
  if (design.term_columns(term) == 0) return {};  // a category of one level: nothing to penalise
  std::vector<Coordinate> coordinates;
  for (std::size_t c = 0; c < design.terms()[term].order(); ++c)
    coordinates.push_back(coordinate_of(design, term, c));
  const bool main_effect = coordinates.size() == 1;
  // Only a constant has no bends and meets itself, so that bends are all that there is to penalise.
  if (main_effect && design.marginal(term, 0).cyclic() && can_bend(design, term, 0))
    return {coordinates[0].bends};
  // For every coordinate: second differences along it, times the size along the others. Then the size alone.
  std::vector<Matrix> parts;
  for (std::size_t bent = 0; bent <= coordinates.size(); ++bent) {
    const bool bends = bent < coordinates.size();
    if (bends && coordinates[bent].bends.empty()) continue;
    Matrix product{bends || main_effect || parts.empty() ? 1.0 : interaction_shrinkage};
    std::size_t columns = 1;
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      product = kronecker(product, columns, c == bent ? coordinates[c].bends : coordinates[c].size,
                          coordinates[c].columns);
      columns *= coordinates[c].columns;
    }
    if (main_effect || parts.empty())
      parts.push_back(std::move(product));
    else
      add(parts.front(), product);
  }
  return parts;
}

std::vector<double> weighted_penalty(const Design& design, std::size_t term,
                                     std::span<const double> weights) {
  const std::size_t m = design.term_columns(term);
  std::vector<double> total(m * m);
  const std::vector<Matrix> parts = term_penalties(design, term);
  if (weights.size() > parts.size())
    throw Error(ErrorCode::invalid_argument, "too_many_penalty_weights",
                "Term {term} has {weights} penalty weights, but only {penalties} penalties.",
                {{"term", term}, {"weights", weights.size()}, {"penalties", parts.size()}});
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += weights[k] * parts[k][i];
  return total;
}

}  // namespace kore
