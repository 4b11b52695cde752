#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"
#include "kore/smoother.hpp"

// Least squares by definition: dense rows, sums over all of them, elimination in long double. It shares no
// code with the engine but the description of a design, and leaves rows out by leaving them out.
namespace kore::test {

using Real = long double;
using Vector = std::vector<Real>;
using Matrix = std::vector<Vector>;

/// All B-splines of a coordinate at a point, by the recursion over the extended knots (Cox and de Boor).
/// Outside the knots the pieces of the boundary interval go on; the right end belongs to the last interval.
inline Vector dense_splines(const UniformBasis& basis, Real x) {
  const int degree = basis.degree();
  const int intervals = basis.resolution();
  const Real first = basis.knots().first;
  const Real step = (Real{basis.knots().last} - first) / intervals;
  Vector value(static_cast<std::size_t>(intervals + degree), 0);
  if (step == 0) return value;
  const auto knot = [&](int i) { return first + step * (i - degree); };
  const int cell = std::clamp(static_cast<int>(std::floor((x - first) / step)), 0, intervals - 1);
  Vector level(static_cast<std::size_t>(intervals + 2 * degree), 0);
  level[static_cast<std::size_t>(cell + degree)] = 1;
  for (int k = 1; k <= degree; ++k)
    for (int i = 0; i + k < static_cast<int>(level.size()); ++i) {
      const auto at = static_cast<std::size_t>(i);
      level[at] = level[at] * (x - knot(i)) / (knot(i + k) - knot(i)) +
                  level[at + 1] * (knot(i + k + 1) - x) / (knot(i + k + 1) - knot(i + 1));
    }
  std::copy_n(level.begin(), value.size(), value.begin());
  return value;
}

/// A warp by its definition: the line through the nodes on both sides, found one after the other.
inline Real warped(const Warp& warp, Real x) {
  if (warp.nodes.empty()) return x;
  std::size_t right = 1;
  while (right + 1 < warp.nodes.size() && warp.nodes[right] <= x) ++right;
  const Real share = (x - warp.nodes[right - 1]) / (Real{warp.nodes[right]} - warp.nodes[right - 1]);
  return warp.values[right - 1] + share * (Real{warp.values[right]} - warp.values[right - 1]);
}

/// All functions of one coordinate of a term at a value of its feature.
inline Vector dense_functions(const Design& design, std::size_t term, std::size_t coordinate, double x) {
  const Feature& feature = design.features()[design.terms()[term].features[coordinate]];
  if (feature.kind != FeatureKind::category)
    return dense_splines(design.basis(term, coordinate), warped(feature.warp, x));
  Vector value(static_cast<std::size_t>(feature.levels), 0);
  bool found = false;
  for (int level = 0; level < feature.levels; ++level)
    if (level == x) {
      value[static_cast<std::size_t>(level)] = 1;
      found = true;
    }
  if (!found) value.back() = 1;
  return value;
}

/// Those that have a coefficient of their own: around a circle, the functions behind its end belong to those
/// at its beginning.
inline Vector own_functions(const Design& design, std::size_t term, std::size_t coordinate, double x) {
  const Vector all = dense_functions(design, term, coordinate, x);
  if (!design.features()[design.terms()[term].features[coordinate]].cyclic) return all;
  Vector own(static_cast<std::size_t>(design.basis(term, coordinate).resolution()), 0);
  for (std::size_t i = 0; i < all.size(); ++i) own[i % own.size()] += all[i];
  return own;
}

/// Products of one entry of each factor, the last factor's index fastest.
inline Vector outer(const std::vector<Vector>& factors) {
  Vector product{1};
  for (const Vector& factor : factors) {
    Vector next;
    for (const Real before : product)
      for (const Real value : factor) next.push_back(before * value);
    product = std::move(next);
  }
  return product;
}

/// All raw functions of one term at a row.
inline Vector raw_term_row(const Design& design, std::size_t term, const MatrixView& x, std::size_t row) {
  std::vector<Vector> factors;
  for (std::size_t c = 0; c < design.terms()[term].order(); ++c)
    factors.push_back(dense_functions(design, term, c, x(row, design.terms()[term].features[c])));
  return outer(factors);
}

/// Weighted means of the functions of one coordinate of a term.
inline Vector coordinate_means(const Design& design, std::size_t term, std::size_t coordinate,
                               const RowBlock& rows) {
  Vector mean;
  Real total = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector value =
        own_functions(design, term, coordinate, rows.x(r, design.terms()[term].features[coordinate]));
    mean.resize(value.size());
    for (std::size_t a = 0; a < mean.size(); ++a) mean[a] += Real{rows.weight(r)} * value[a];
    total += rows.weight(r);
  }
  for (Real& m : mean) m /= total;
  return mean;
}

/// The design matrix of `rows` in the paper's columns, centred by the means of the training rows.
inline Matrix dense_design(const Design& design, const RowBlock& rows, const RowBlock& training) {
  const bool centred = design.parametrisation() == Parametrisation::centred;
  std::vector<std::vector<Vector>> means(design.terms().size());
  for (std::size_t t = 0; centred && t < means.size(); ++t)
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c)
      means[t].push_back(coordinate_means(design, t, c, training));
  Matrix matrix;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    Vector row;
    if (centred) row.push_back(1);
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      std::vector<Vector> factors;
      for (std::size_t c = 0; c < design.terms()[t].order(); ++c) {
        Vector value = own_functions(design, t, c, rows.x(r, design.terms()[t].features[c]));
        for (std::size_t a = 0; centred && a < value.size(); ++a) value[a] -= means[t][c][a];
        if (centred || t > 0) value.pop_back();
        factors.push_back(std::move(value));
      }
      const Vector block = outer(factors);
      row.insert(row.end(), block.begin(), block.end());
    }
    matrix.push_back(std::move(row));
  }
  return matrix;
}

/// Gaussian elimination with row pivoting.
inline Vector solve_dense(Matrix a, Vector b) {
  const std::size_t p = b.size();
  for (std::size_t k = 0; k < p; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < p; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < p; ++i) {
      const Real factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < p; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = p; k-- > 0;) {
    for (std::size_t j = k + 1; j < p; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

inline Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// A penalised least-squares problem that can be solved with or without some of its rows. Knots, means and
/// penalties stay those of all rows, as in the PRESS identity.
class PressOracle {
 public:
  PressOracle(const Design& design, const RowBlock& rows, const SmootherOptions& options)
      : rows_(rows), design_(dense_design(design, rows, rows)) {
    const std::size_t p = design_.front().size();
    penalty_.assign(p, Vector(p, 0));
    Real trace = 0;
    for (std::size_t r = 0; r < rows.rows(); ++r) trace += Real{rows.weight(r)} * dot(design_[r], design_[r]);
    const Real ridge = options.relative_ridge ? options.ridge * trace / p : Real{options.ridge};
    for (std::size_t i = 0; i < p; ++i) penalty_[i][i] = ridge;
    for (const TermPenalty& penalty : options.penalties) {
      const std::size_t m = design.term_columns(penalty.term);
      const std::size_t first = design.offset(penalty.term);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j)
          penalty_[first + i][first + j] += Real{penalty.weight} * penalty.matrix[i * m + j];
    }
  }

  std::size_t columns() const { return design_.front().size(); }
  const Vector& row(std::size_t r) const { return design_[r]; }

  Matrix normal_matrix(const std::set<std::size_t>& without = {}) const {
    Matrix matrix = penalty_;
    for (std::size_t r = 0; r < design_.size(); ++r) {
      if (without.contains(r)) continue;
      for (std::size_t i = 0; i < columns(); ++i)
        for (std::size_t j = 0; j < columns(); ++j)
          matrix[i][j] += Real{rows_.weight(r)} * design_[r][i] * design_[r][j];
    }
    return matrix;
  }
  /// Coefficients of the fit to all rows but those of `without`.
  Vector solution(const std::set<std::size_t>& without = {}) const {
    Vector right(columns(), 0);
    for (std::size_t r = 0; r < design_.size(); ++r)
      for (std::size_t i = 0; i < columns() && !without.contains(r); ++i)
        right[i] += Real{rows_.weight(r)} * rows_.y[r] * design_[r][i];
    return solve_dense(normal_matrix(without), right);
  }
  /// What a fit without the rows of `without` misses at row `r`.
  double residual(std::size_t r, const std::set<std::size_t>& without) const {
    return static_cast<double>(rows_.y[r] - dot(design_[r], solution(without)));
  }
  double loo_residual(std::size_t r) const { return residual(r, {r}); }
  std::vector<double> loo_residuals() const {
    std::vector<double> all;
    for (std::size_t r = 0; r < design_.size(); ++r) all.push_back(loo_residual(r));
    return all;
  }
  /// The row's weight times its diagonal entry of `B (B'WB + penalty)^-1 B'`.
  double leverage(std::size_t r) const {
    return static_cast<double>(Real{rows_.weight(r)} *
                               dot(design_[r], solve_dense(normal_matrix(), design_[r])));
  }

 private:
  RowBlock rows_;
  Matrix design_;
  Matrix penalty_;
};

}  // namespace kore::test
