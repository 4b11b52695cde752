#include "penalty/diagonal_block.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

constexpr std::size_t tile = 96;  // columns: BLAS is fastest at tall and narrow products

std::size_t tiles_of(std::size_t columns) { return (columns + tile - 1) / tile; }

}  // namespace

DiagonalBlock::DiagonalBlock(std::span<const double> diagonal, std::vector<double> coupling,
                             std::span<double> rest, int threads)
    : others_(diagonal.empty() ? 0 : coupling.size() / diagonal.size()), half_(std::move(coupling)) {
  const std::size_t q = others_;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    roots_.push_back(1 / std::sqrt(diagonal[i]));
    for (std::size_t j = 0; j < q; ++j) half_[i * q + j] *= roots_[i];
  }
  parallel_for(tiles_of(q), threads, [&](std::size_t t) {
    const std::size_t first = t * tile;
    subtract_outer(half_.data() + first, q - first, q, half_.data() + first, std::min(tile, q - first), q,
                   roots_.size(), rest.data() + first * q + first, q);
  });
}

void DiagonalBlock::reduce(std::span<const double> own_right, std::span<double> right) const {
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const double value = roots_[i] * own_right[i];
    for (std::size_t j = 0; j < others_; ++j) right[j] -= half_[i * others_ + j] * value;
  }
}

std::vector<double> DiagonalBlock::solve(std::span<const double> own_right,
                                         std::span<const double> solution) const {
  std::vector<double> own;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const double known = std::inner_product(solution.begin(), solution.end(),
                                            half_.begin() + static_cast<std::ptrdiff_t>(i * others_), 0.0);
    own.push_back(roots_[i] * (roots_[i] * own_right[i] - known));
  }
  return own;
}

// With `H H' = (C - B D^-1 B')^-1` the block is `D^-1 + D^-1 B' H H' B D^-1`.
double DiagonalBlock::inverse_trace(const std::vector<double>& inverse_factor, int threads) const {
  const std::size_t q = others_;
  const std::size_t m = roots_.size();
  std::vector<double> scaled = half_;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < q; ++j) scaled[i * q + j] *= roots_[i];
  std::vector<double> sums(tiles_of(q));
  parallel_for(sums.size(), threads, [&](std::size_t t) {
    const std::size_t first = t * tile;
    const std::size_t height = std::min(tile, q - first);
    std::vector<double> products(height * m);  // of these rows, zeros behind the diagonal
    product(inverse_factor.data() + first, height, q, scaled.data(), m, q, first + height, products.data(),
            height);
    sums[t] = squared_norm(products);
  });
  return std::accumulate(sums.begin(), sums.end(), squared_norm(roots_));
}

}  // namespace kore
