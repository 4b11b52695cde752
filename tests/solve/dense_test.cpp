#include "solve/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kore {
namespace {

// 2 x 2, positive definite, with determinant 11.
const std::vector<double> matrix{4, 1, 1, 3};

TEST(Dense, TraceAndMeanDiagonalReadTheDiagonalAlone) {
  const std::vector<double> lower{4, 1, NAN, 3};
  EXPECT_EQ(trace(lower, 2), 7);
  EXPECT_EQ(mean_diagonal(lower, 2), 3.5);
}

TEST(Dense, AddingToTheDiagonalLeavesTheRestAsItIs) {
  std::vector<double> raised = matrix;
  add_to_diagonal(raised, 2, 0.5);
  EXPECT_EQ(raised, (std::vector<double>{4.5, 1, 1, 3.5}));
}

TEST(Dense, TheTraceOfAProductIsThatOfTheMultipliedMatrices) {
  const std::vector<double> other{2, -1, -1, 5};
  std::vector<double> product(4);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 2; ++k) product[i * 2 + j] += matrix[i * 2 + k] * other[k * 2 + j];
  EXPECT_EQ(trace_of_product(matrix, other), trace(product, 2));
}

TEST(Dense, TheQuadraticFormOfTheIdentityIsTheSquaredNorm) {
  const std::vector<double> vector{3, -2};
  EXPECT_EQ(squared_norm(vector), 13);
  EXPECT_EQ(quadratic_form(identity(2), vector), 13);
  EXPECT_EQ(quadratic_form(matrix, vector), 4 * 9 - 2 * 6 + 3 * 4);
}

TEST(Dense, TheLogDeterminantIsThatOfTheFactoredMatrix) {
  EXPECT_NEAR(log_determinant(Cholesky(matrix, 2)), std::log(11.0), 1e-15);
}

}  // namespace
}  // namespace kore
