#include "fit/projection.hpp"

#include <functional>
#include <numeric>

#include "kore/solve.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

/// The index along coordinate `c` of every raw function.
std::vector<std::size_t> digits(std::span<const std::size_t> sizes, std::size_t c) {
  const std::size_t all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
  std::size_t stride = 1;
  for (std::size_t inner = c + 1; inner < sizes.size(); ++inner) stride *= sizes[inner];
  std::vector<std::size_t> found(all);
  for (std::size_t i = 0; i < all; ++i) found[i] = i / stride % sizes[c];
  return found;
}

/// Moments of one coordinate: the functions of the others add up to one.
std::vector<double> marginal(std::span<const double> moments, std::span<const std::size_t> digit,
                             std::size_t size) {
  const std::size_t all = digit.size();
  std::vector<double> sums(size * size);
  for (std::size_t i = 0; i < all; ++i)
    for (std::size_t j = 0; j < all; ++j) sums[digit[i] * size + digit[j]] += moments[i * all + j];
  return sums;
}

/// Adds rows in which the features are independent. Some of them are where no training row is, such as at a
/// level that stands for unseen ones: what an interaction says there follows from the other features' rows.
void mix(std::span<const std::size_t> sizes, double share, std::vector<double>& moments) {
  constexpr double share_everywhere = 0.01;
  std::vector<std::vector<std::size_t>> digit;
  std::vector<std::vector<double>> own;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    digit.push_back(digits(sizes, c));
    own.push_back(marginal(moments, digit[c], sizes[c]));
    add_to_diagonal(own[c], sizes[c], share_everywhere * mean_diagonal(own[c], sizes[c]));
  }
  const std::size_t all = digit[0].size();
  for (std::size_t i = 0; i < all; ++i)
    for (std::size_t j = 0; j < all; ++j) {
      double product = share;
      for (std::size_t c = 0; c < sizes.size(); ++c) product *= own[c][digit[c][i] * sizes[c] + digit[c][j]];
      moments[i * all + j] = (1 - share) * moments[i * all + j] + product;
    }
}

/// The matrix is singular where functions overlap (constants belong to each of them) or have no rows. The
/// right-hand sides lie in its range, so that a tiny ridge changes next to nothing.
Cholesky factored(const std::vector<double>& matrix, std::size_t size) {
  constexpr double first_ridge = 1e-10;
  constexpr double last_ridge = 1e-2;
  const double unit = mean_diagonal(matrix, size);
  for (double ridge = first_ridge;; ridge *= 100) {
    std::vector<double> raised = matrix;
    add_to_diagonal(raised, size, unit > 0 ? ridge * unit : 1.0);
    try {
      return {std::move(raised), size};
    } catch (const NotPositiveDefinite&) {
      if (ridge > last_ridge) throw;
    }
  }
}

}  // namespace

Projection project(std::span<const std::size_t> sizes, std::vector<double> moments,
                   double independent_share) {
  Projection found;
  found.offsets = {0};
  const std::size_t order = sizes.size();
  for (std::size_t out = 0; out < order; ++out) {
    std::size_t functions = 1;
    std::vector<std::size_t> place(digits(sizes, out).size());
    for (std::size_t c = 0; c < order; ++c) {
      if (c == out) continue;
      const std::vector<std::size_t> digit = digits(sizes, c);
      for (std::size_t i = 0; i < place.size(); ++i) place[i] = place[i] * sizes[c] + digit[i];
      functions *= sizes[c];
    }
    found.places.push_back(std::move(place));
    found.offsets.push_back(found.offsets.back() + functions);
  }
  mix(sizes, independent_share, moments);
  const std::size_t q = found.functions();
  const std::size_t all = found.places[0].size();
  // Products of the simpler functions with those of the interaction (column by column), then with each other.
  std::vector<double> cross(q * all);
  std::vector<double> gram(q * q);
  for (std::size_t out = 0; out < order; ++out)
    for (std::size_t i = 0; i < all; ++i) {
      const std::size_t row = found.offsets[out] + found.places[out][i];
      for (std::size_t j = 0; j < all; ++j) cross[j * q + row] += moments[i * all + j];
    }
  for (std::size_t out = 0; out < order; ++out)
    for (std::size_t j = 0; j < all; ++j) {
      const std::size_t column = found.offsets[out] + found.places[out][j];
      for (std::size_t row = 0; row < q; ++row) gram[column * q + row] += cross[j * q + row];
    }
  const Cholesky cholesky = factored(gram, q);
  found.matrix.resize(q * all);
  for (std::size_t j = 0; j < all; ++j) {
    const std::vector<double> solved = cholesky.solve(std::span(cross).subspan(j * q, q));
    for (std::size_t row = 0; row < q; ++row) found.matrix[row * all + j] = solved[row];
  }
  return found;
}

}  // namespace kore
