#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "kore/solve.hpp"
#include "solve/blas.hpp"

namespace kore {
namespace {

constexpr std::size_t tile = 192;

// Below this size starting threads takes longer than what they save.
int worthwhile_threads(std::size_t size, int threads) {
  constexpr std::size_t worth_threads = 640;
  return size < worth_threads ? 1 : threads;
}

struct Tile {
  std::size_t first = 0;
  std::size_t size = 0;
};

std::vector<Tile> tiles_of(std::size_t size) {
  std::vector<Tile> tiles;
  for (std::size_t first = 0; first < size; first += tile)
    tiles.push_back({first, std::min(tile, size - first)});
  return tiles;
}

using TilePair = std::pair<std::size_t, std::size_t>;

void check_entries(const char* what, std::size_t given, std::size_t needed) {
  if (given != needed)
    throw Error(ErrorCode::invalid_argument, std::string(what) + " has " + std::to_string(given) +
                                                 " entries; it needs " + std::to_string(needed) + ".");
}

std::vector<TilePair> lower_pairs(std::size_t first, std::size_t count) {
  std::vector<TilePair> pairs;
  for (std::size_t j = first; j < count; ++j)
    for (std::size_t i = j; i < count; ++i) pairs.emplace_back(i, j);
  return pairs;
}

}  // namespace

NotPositiveDefinite::NotPositiveDefinite(std::size_t column)
    : NotPositiveDefinite(column, "The matrix is not positive definite: pivot " + std::to_string(column) +
                                      " (counted from 0) is not positive.") {}

Cholesky::Cholesky(std::vector<double> matrix, std::size_t size, int threads)
    : size_(size), factor_(std::move(matrix)) {
  check_entries("The matrix to factor", factor_.size(), size * size);
  threads = worthwhile_threads(size, threads);
  double* a = factor_.data();
  const std::vector<Tile> tiles = tiles_of(size);
  const auto at = [&](std::size_t i, std::size_t j) { return a + tiles[j].first * size_ + tiles[i].first; };
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    const std::size_t bad = factor_lower(at(k, k), tiles[k].size, size_);
    if (bad > 0) throw NotPositiveDefinite(tiles[k].first + bad - 1);
    parallel_for(tiles.size() - k - 1, threads, [&](std::size_t below) {
      const std::size_t i = k + 1 + below;
      solve_right_transposed(at(k, k), tiles[k].size, size_, at(i, k), tiles[i].size, size_);
    });
    const std::vector<TilePair> rest = lower_pairs(k + 1, tiles.size());
    parallel_for(rest.size(), threads, [&](std::size_t r) {
      const auto [i, j] = rest[r];
      subtract_outer(at(i, k), tiles[i].size, size_, at(j, k), tiles[j].size, size_, tiles[k].size, at(i, j),
                     size_);
    });
  }
}

std::vector<double> Cholesky::solve(std::span<const double> right_hand_side) const {
  check_entries("The right-hand side", right_hand_side.size(), size_);
  std::vector<double> x(right_hand_side.begin(), right_hand_side.end());
  solve_left(factor_.data(), size_, size_, x.data(), 1, size_);
  solve_left_transposed(factor_.data(), size_, size_, x.data(), 1, size_);
  return x;
}

void Cholesky::half_solve(std::span<double> columns, std::size_t count) const {
  check_entries("The array of columns", columns.size(), size_ * count);
  solve_left(factor_.data(), size_, size_, columns.data(), count, size_);
}

std::vector<double> Cholesky::inverse_factor(int threads) const {
  std::vector<double> inverse(size_ * size_);
  const std::vector<Tile> tiles = tiles_of(size_);
  parallel_for(tiles.size(), worthwhile_threads(size_, threads), [&](std::size_t t) {
    const auto [first, width] = tiles[t];
    double* block = inverse.data() + first * size_ + first;
    for (std::size_t c = 0; c < width; ++c) block[c * size_ + c] = 1;
    solve_left(factor_.data() + first * size_ + first, size_ - first, size_, block, width, size_);
  });
  return inverse;
}

std::vector<double> lower_gram(std::span<const double> lower, std::size_t size, int threads) {
  check_entries("The lower triangular matrix", lower.size(), size * size);
  std::vector<double> gram(size * size);
  const std::vector<Tile> tiles = tiles_of(size);
  const std::vector<TilePair> pairs = lower_pairs(0, tiles.size());
  parallel_for(pairs.size(), worthwhile_threads(size, threads), [&](std::size_t p) {
    const auto [i, j] = pairs[p];
    const std::size_t from = tiles[i].first;  // rows above are zero in the columns of tile i
    inner_product(lower.data() + tiles[i].first * size + from, tiles[i].size, size,
                  lower.data() + tiles[j].first * size + from, tiles[j].size, size, size - from,
                  gram.data() + tiles[j].first * size + tiles[i].first, size);
    if (i == j) return;
    for (std::size_t c = 0; c < tiles[j].size; ++c)
      for (std::size_t r = 0; r < tiles[i].size; ++r)
        gram[(tiles[i].first + r) * size + tiles[j].first + c] =
            gram[(tiles[j].first + c) * size + tiles[i].first + r];
  });
  return gram;
}

}  // namespace kore
