#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kore/solve.hpp"
#include "support/dense_matrix.hpp"
#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::Dense;
using test::largest;
using test::largest_difference;
using test::product;
using test::refusal;
using test::transposed;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A well-conditioned symmetric matrix: `M M' / n + I` for a random `M`. (Symmetric, so row- and column-major
/// are the same.)
Dense positive_definite(std::size_t n) {
  test::Uniform uniform(n);
  Dense m(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (double& value : m.row(i)) value = uniform.between(-1, 1);
  Dense a = product(m, transposed(m));
  for (std::size_t i = 0; i < n; ++i) {
    for (double& value : a.row(i)) value /= static_cast<double>(n);
    a(i, i) += 1;
    for (std::size_t j = 0; j < i; ++j) a(j, i) = a(i, j);
  }
  return a;
}

std::vector<double> random_vector(std::size_t n, std::uint64_t seed) {
  test::Uniform uniform(seed);
  std::vector<double> values(n);
  for (double& value : values) value = uniform.between(-1, 1);
  return values;
}

/// The lower triangle of a column-major array as a matrix.
Dense lower_triangle(std::span<const double> column_major, std::size_t n) {
  Dense lower(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) lower(i, j) = column_major[j * n + i];
  return lower;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

class CholeskyOfSize : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t n() const { return GetParam(); }
  /// What rounding may do to sums of `n` products of numbers near one.
  double tolerance() const { return 20 * static_cast<double>(n()) * epsilon; }

  Dense a = positive_definite(n());
  Cholesky cholesky{a.values(), n()};
};

// The tiles have 192 rows: one tile, exactly one, one and a bit, several.
INSTANTIATE_TEST_SUITE_P(AroundTheTile, CholeskyOfSize, testing::Values(1, 2, 191, 192, 193, 400, 577));

TEST_P(CholeskyOfSize, FactorTimesItsTransposeIsTheMatrix) {
  EXPECT_EQ(cholesky.size(), n());
  const Dense l = lower_triangle(cholesky.factor(), n());
  for (std::size_t i = 0; i < n(); ++i) EXPECT_GT(l(i, i), 0);
  EXPECT_LE(largest_difference(product(l, transposed(l)).values(), a.values()),
            tolerance() * largest(a.values()));
}

TEST_P(CholeskyOfSize, ReadsTheLowerTriangleOnly) {
  std::vector<double> half = a.values();
  for (std::size_t j = 0; j < n(); ++j)
    for (std::size_t i = 0; i < j; ++i) half[j * n() + i] = std::numeric_limits<double>::quiet_NaN();
  const Cholesky other(half, n());
  EXPECT_EQ(lower_triangle(other.factor(), n()).values(), lower_triangle(cholesky.factor(), n()).values());
  const auto b = random_vector(n(), 1);
  EXPECT_EQ(other.solve(b), cholesky.solve(b));
  EXPECT_EQ(other.inverse_factor(), cholesky.inverse_factor());
}

TEST_P(CholeskyOfSize, SolvesTheSystem) {
  const auto b = random_vector(n(), 2);
  const auto x = cholesky.solve(b);
  EXPECT_LE(largest_difference(product(a, x), b), tolerance() * largest(x) * largest(a.values()));
}

TEST_P(CholeskyOfSize, SolvesAsGaussianEliminationDoes) {
  const auto b = random_vector(n(), 3);
  test::Matrix matrix;
  for (std::size_t i = 0; i < n(); ++i) matrix.emplace_back(a.row(i).begin(), a.row(i).end());
  const auto expected = test::solve_dense(std::move(matrix), {b.begin(), b.end()});
  const auto x = cholesky.solve(b);
  for (std::size_t i = 0; i < n(); ++i)
    ASSERT_NEAR(x[i], static_cast<double>(expected[i]), tolerance() * largest(x)) << i;
}

TEST_P(CholeskyOfSize, HalfSolvesSeveralColumns) {
  constexpr std::size_t count = 3;
  const auto columns = random_vector(n() * count, 4);
  auto solved = columns;
  cholesky.half_solve(solved, count);
  const Dense l = lower_triangle(cholesky.factor(), n());
  for (std::size_t c = 0; c < count; ++c) {
    const std::span column(columns.data() + c * n(), n());
    const std::span half(solved.data() + c * n(), n());
    EXPECT_LE(largest_difference(product(l, half), column), tolerance() * (1 + largest(half)));
    // The squared norm is the quadratic form of the inverse.
    const auto x = cholesky.solve(column);
    double form = 0;
    double squares = 0;
    for (std::size_t i = 0; i < n(); ++i) {
      form += column[i] * x[i];
      squares += half[i] * half[i];
    }
    EXPECT_NEAR(squares, form, tolerance() * form);
  }
}

TEST_P(CholeskyOfSize, InvertsItsFactor) {
  const auto inverse = cholesky.inverse_factor();
  for (std::size_t j = 0; j < n(); ++j)
    for (std::size_t i = 0; i < j; ++i) ASSERT_EQ(inverse[j * n() + i], 0) << i << ", " << j;
  const Dense identity = product(lower_triangle(cholesky.factor(), n()), lower_triangle(inverse, n()));
  for (std::size_t i = 0; i < n(); ++i)
    for (std::size_t j = 0; j < n(); ++j)
      ASSERT_NEAR(identity(i, j), i == j ? 1 : 0, tolerance()) << i << ", " << j;
}

TEST_P(CholeskyOfSize, GramOfTheInvertedFactorIsTheInverse) {
  const auto inverse = lower_gram(cholesky.inverse_factor(), n());
  const Dense identity = product(a, Dense(n(), n(), inverse));
  for (std::size_t i = 0; i < n(); ++i)
    for (std::size_t j = 0; j < n(); ++j) {
      ASSERT_NEAR(identity(i, j), i == j ? 1 : 0, tolerance()) << i << ", " << j;
      ASSERT_NEAR(inverse[i * n() + j], inverse[j * n() + i], tolerance()) << i << ", " << j;
    }
}

TEST_P(CholeskyOfSize, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto inverse = cholesky.inverse_factor(1);
  const auto gram = lower_gram(inverse, n(), 1);
  for (const int threads : {2, 4}) {
    const Cholesky other(a.values(), n(), threads);
    EXPECT_TRUE(same_bits(lower_triangle(other.factor(), n()).values(),
                          lower_triangle(cholesky.factor(), n()).values()));
    EXPECT_TRUE(same_bits(cholesky.inverse_factor(threads), inverse));
    EXPECT_TRUE(same_bits(lower_gram(inverse, n(), threads), gram));
  }
}

TEST_P(CholeskyOfSize, NamesTheFirstColumnThatIsNotPositive) {
  for (const std::size_t bad :
       {std::size_t{0}, std::size_t{1}, std::size_t{191}, std::size_t{192}, n() - 1}) {
    if (bad >= n()) continue;
    for (const double pivot :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::vector<double> matrix = a.values();
      matrix[bad * n() + bad] = pivot;
      for (const int threads : {1, 2}) {
        try {
          const Cholesky refused(matrix, n(), threads);
          FAIL() << "a pivot of " << pivot << " in column " << bad << " passed";
        } catch (const NotPositiveDefinite& failure) {
          EXPECT_EQ(failure.column(), bad);
          EXPECT_EQ(failure.code(), ErrorCode::not_positive_definite);
          EXPECT_EQ(failure.what(), "The matrix is not positive definite: pivot " + std::to_string(bad) +
                                        " (counted from 0) is not positive.");
        }
      }
    }
  }
}

TEST(Cholesky, NamesTheColumnThatRepeatsAnother) {
  for (const std::size_t n : {2, 192, 193, 577}) {
    // Integers whose factor has no rounding: the last column is the first one once more.
    std::vector<double> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 4;
    matrix[n - 1] = matrix[(n - 1) * n] = 4;
    try {
      const Cholesky refused(matrix, n);
      FAIL() << "a repeated column passed";
    } catch (const NotPositiveDefinite& failure) {
      EXPECT_EQ(failure.column(), n - 1);
    }
  }
}

TEST(Cholesky, RefusesANaNBesideTheDiagonal) {
  std::vector<double> matrix{1, 0, 0, 0, 1, 0, 0, 0, 1};
  matrix[2] = std::numeric_limits<double>::quiet_NaN();  // row 2, column 0
  EXPECT_EQ(refusal(ErrorCode::not_positive_definite, [&] { Cholesky(matrix, 3); }),
            "The matrix is not positive definite: pivot 2 (counted from 0) is not positive.");
}

TEST(Cholesky, RefusesArraysOfAnotherSize) {
  EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                    [] {
                      Cholesky({1, 2, 3}, 2);
                    }),
            "The matrix to factor has 3 entries; it needs 4.");
  const Cholesky cholesky({4, 0, 0, 4}, 2);
  std::vector<double> three{1, 2, 3};
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { cholesky.solve(three); }),
            "The right-hand side has 3 entries; it needs 2.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { cholesky.half_solve(three, 2); }),
            "The array of columns has 3 entries; it needs 4.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { lower_gram(three, 2); }),
            "The lower triangular matrix has 3 entries; it needs 4.");
}

TEST(Cholesky, KeepsItsAccuracyAtExtremeScales) {
  for (const double scale : {1e-280, 1e280}) {
    const Cholesky cholesky({2 * scale, scale, scale, 2 * scale}, 2);
    const auto x = cholesky.solve(std::vector{3 * scale, 0.0});
    EXPECT_NEAR(x[0], 2, 1e-14);
    EXPECT_NEAR(x[1], -1, 1e-14);
  }
}

}  // namespace
}  // namespace kore
