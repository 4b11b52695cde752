// A diagonal block that is eliminated, against dense solves of the whole.
#include "penalty/diagonal_block.hpp"

#include <gtest/gtest.h>

#include <random>

#include "kore/solve.hpp"

namespace kore {
namespace {

constexpr std::size_t own = 130;  // more than a tile of columns on either side
constexpr std::size_t others = 110;
constexpr std::size_t size = own + others;

/// A positive definite matrix whose first block is diagonal, column-major, and a right side.
struct Whole {
  Whole() {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t i = 0; i < own; ++i) diagonal.push_back(1.5 + uniform(random));
    for (std::size_t i = 0; i < own * others; ++i) coupling.push_back(0.1 * uniform(random));
    for (std::size_t i = 0; i < size; ++i) right.push_back(uniform(random));
    for (std::size_t i = 0; i < own; ++i) {
      matrix[i * size + i] = diagonal[i];
      for (std::size_t j = 0; j < others; ++j) matrix[i * size + own + j] = coupling[i * others + j];
    }
    for (std::size_t j = 0; j < others; ++j) {
      matrix[(own + j) * size + own + j] = 30;
      for (std::size_t i = j + 1; i < others; ++i) matrix[(own + j) * size + own + i] = 0.1 * uniform(random);
    }
  }
  std::vector<double> rest() const {
    std::vector<double> block(others * others);
    for (std::size_t j = 0; j < others; ++j)
      for (std::size_t i = j; i < others; ++i) block[j * others + i] = matrix[(own + j) * size + own + i];
    return block;
  }

  std::vector<double> diagonal;
  std::vector<double> coupling;
  std::vector<double> matrix = std::vector<double>(size * size);
  std::vector<double> right;
};

TEST(DiagonalBlock, SolvesWhatADenseFactorSolves) {
  const Whole whole;
  std::vector<double> rest = whole.rest();
  const DiagonalBlock block(whole.diagonal, whole.coupling, rest, 2);
  const std::span<const double> right(whole.right);
  std::vector<double> reduced(right.begin() + own, right.end());
  block.reduce(right.first(own), reduced);
  const std::vector<double> solution = Cholesky(rest, others).solve(reduced);
  const std::vector<double> eliminated = block.solve(right.first(own), solution);
  const std::vector<double> expected = Cholesky(whole.matrix, size).solve(whole.right);
  for (std::size_t i = 0; i < own; ++i) EXPECT_NEAR(eliminated[i], expected[i], 1e-12) << i;
  for (std::size_t i = 0; i < others; ++i) EXPECT_NEAR(solution[i], expected[own + i], 1e-12) << i;
}

TEST(DiagonalBlock, KnowsTheTraceOfItsPartOfTheInverse) {
  const Whole whole;
  std::vector<double> rest = whole.rest();
  const DiagonalBlock block(whole.diagonal, whole.coupling, rest, 1);
  const double trace = block.inverse_trace(Cholesky(rest, others).inverse_factor(), 1);
  const Cholesky dense(whole.matrix, size);
  double expected = 0;
  for (std::size_t i = 0; i < own; ++i) {
    std::vector<double> unit(size);
    unit[i] = 1;
    expected += dense.solve(unit)[i];
  }
  EXPECT_NEAR(trace, expected, 1e-11 * expected);
}

TEST(DiagonalBlock, HasTheSameBitsOnAnyNumberOfThreads) {
  const Whole whole;
  std::vector<double> one = whole.rest();
  std::vector<double> four = whole.rest();
  const DiagonalBlock alone(whole.diagonal, whole.coupling, one, 1);
  const DiagonalBlock shared(whole.diagonal, whole.coupling, four, 4);
  EXPECT_EQ(one, four);
  const std::vector<double> half = Cholesky(one, others).inverse_factor();
  EXPECT_EQ(alone.inverse_trace(half, 1), shared.inverse_trace(half, 4));
}

}  // namespace
}  // namespace kore
