#include "experiments/honesty/ridge.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/random/generator.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::size_t rows = 12;
constexpr std::size_t columns = 3;

struct Sample {
  std::vector<double> x;  ///< Column by column.
  std::vector<double> y;

  MatrixView view() const { return MatrixView::column_major(x, y.size(), columns); }
};

Sample sample() {
  Generator generator(5);
  Sample made{generator.normal(3, 2, rows * columns), generator.normal(0, 1, rows)};
  for (std::size_t r = 0; r < rows; ++r) made.y[r] += 0.3 * made.x[r] - 0.1 * made.x[rows + r];
  return made;
}

/// Gauss-Jordan elimination, which shares nothing with the code under test.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (k == i) continue;
      const double factor = a[k][i] / a[i][i];
      for (std::size_t j = 0; j < b.size(); ++j) a[k][j] -= factor * a[i][j];
      b[k] -= factor * b[i];
    }
  for (std::size_t i = 0; i < b.size(); ++i) b[i] /= a[i][i];
  return b;
}

/// Features standardised by all rows, with a one in front for the intercept.
std::vector<std::vector<double>> standardised(const Sample& s) {
  std::vector<std::vector<double>> z(rows, std::vector<double>(columns + 1, 1.0));
  for (std::size_t j = 0; j < columns; ++j) {
    double mean = 0;
    double square = 0;
    for (std::size_t r = 0; r < rows; ++r) mean += s.x[j * rows + r] / rows;
    for (std::size_t r = 0; r < rows; ++r) square += std::pow(s.x[j * rows + r] - mean, 2) / rows;
    for (std::size_t r = 0; r < rows; ++r) z[r][j + 1] = (s.x[j * rows + r] - mean) / std::sqrt(square);
  }
  return z;
}

/// The residual of one row by a fit to all others, its intercept without penalty.
double left_out_residual(const Sample& s, double penalty, std::size_t left_out) {
  const auto z = standardised(s);
  std::vector<std::vector<double>> gram(columns + 1, std::vector<double>(columns + 1, 0.0));
  std::vector<double> products(columns + 1, 0.0);
  for (std::size_t j = 1; j <= columns; ++j) gram[j][j] = penalty;
  for (std::size_t r = 0; r < rows; ++r) {
    if (r == left_out) continue;
    for (std::size_t j = 0; j <= columns; ++j) {
      products[j] += z[r][j] * s.y[r];
      for (std::size_t k = 0; k <= columns; ++k) gram[j][k] += z[r][j] * z[r][k];
    }
  }
  const std::vector<double> solution = solve(gram, products);
  double residual = s.y[left_out];
  for (std::size_t j = 0; j <= columns; ++j) residual -= solution[j] * z[left_out][j];
  return residual;
}

TEST(Ridge, LeavesRowsOutAsRefitsDo) {
  const Sample s = sample();
  const Ridge ridge = fit_ridge(s.view(), s.y, std::vector{0.7});
  for (std::size_t r = 0; r < rows; ++r)
    EXPECT_NEAR(ridge.left_out_residuals[r], left_out_residual(s, 0.7, r), 1e-12) << r;
}

TEST(Ridge, TakesThePenaltyWithTheSmallestErrorOfRefits) {
  const Sample s = sample();
  double least = INFINITY;
  double best = 0;
  for (const double penalty : usual_penalties()) {
    double squares = 0;
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(left_out_residual(s, penalty, r), 2);
    if (squares < least) best = penalty;
    least = std::min(least, squares);
  }
  EXPECT_GT(best, usual_penalties().front()) << "a choice at the edge would test little";
  EXPECT_LT(best, usual_penalties().back());
  EXPECT_EQ(fit_ridge(s.view(), s.y, usual_penalties()).penalty, best);
}

TEST(Ridge, PredictsInTheUnitsOfTheFeatures) {
  Sample s = sample();
  for (std::size_t r = 0; r < rows; ++r) s.y[r] = 4 + 2 * s.x[r] - s.x[2 * rows + r];
  const Ridge ridge = fit_ridge(s.view(), s.y, std::vector{1e-12});
  EXPECT_NEAR(ridge.intercept, 4, 1e-9);
  EXPECT_NEAR(ridge.slopes[0], 2, 1e-9);
  EXPECT_NEAR(ridge.slopes[1], 0, 1e-9);
  EXPECT_NEAR(ridge.predict(s.view())[5], s.y[5], 1e-9);
}

TEST(Ridge, TriesThirtyPenalties) {
  EXPECT_EQ(usual_penalties().size(), 30U);
  EXPECT_DOUBLE_EQ(usual_penalties().front(), 1e-3);
  EXPECT_DOUBLE_EQ(usual_penalties().back(), 1e4);
}

}  // namespace
}  // namespace kore::experiments::honesty
