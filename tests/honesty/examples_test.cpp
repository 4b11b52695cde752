#include "experiments/honesty/examples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kore::experiments::honesty {
namespace {

double truth(std::size_t number, const std::vector<double>& row) {
  return example_truth(examples()[number - 1], row);
}

/// At one half: 2 sin(pi / 2) = 2, exp(1), and 0.2 / 2^11 * 5^6 + 10 * 5^3 / 2^10.
const double humps = 0.2 * 15625 / 2048 + 1250.0 / 1024;

TEST(Examples, FollowTheirFormulas) {
  const double e = std::exp(1);
  EXPECT_NEAR(truth(1, {0.5, 0.5, 0.5, 0.1}), 2 + e + humps, 1e-12);
  EXPECT_NEAR(truth(3, {0.25, 0.5}), humps / 4, 1e-12);
  EXPECT_NEAR(truth(4, {0.1, 0.1, 0.5, 0}), 2, 1e-12);
  EXPECT_NEAR(truth(4, {0.1, 0.1, 0.5, 1}), e - 3.75887, 1e-12);
  EXPECT_NEAR(truth(4, {0.1, 0.1, 0.5, 2}), humps, 1e-12);
  EXPECT_NEAR(truth(5, {3, 0.5, 0.5, 0.9}), 8 + e + humps, 1e-12);
  EXPECT_NEAR(truth(6, {0.5, 0.5, 0.5, 0.1, 1}), 2 + e + humps + 6, 1e-12);
  EXPECT_NEAR(truth(7, {0.5, 0.5, 0.5, 0.1}), 2 + e + humps, 1e-12);
}

TEST(Examples, HaveASurfaceOfTwoHills) {
  const double scale = std::pow(std::acos(-1.0), 0.3) * 0.4;
  const double other_hill = std::exp(-0.25 / 0.09 - 0.25 / 0.16);  // half a unit away in both directions
  EXPECT_NEAR(truth(2, {0.2, 0.3}), scale * (1.2 + 0.8 * other_hill), 1e-12);
  EXPECT_NEAR(truth(2, {0.7, 0.8}), scale * (0.8 + 1.2 * other_hill), 1e-12);
}

TEST(Examples, AreDrawnWithTheirNoiseAndLevels) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.number);
    const ExampleData data = draw_example(example, 1);
    double squares = 0;
    for (std::size_t r = 0; r < data.fresh.rows.count; ++r)
      squares += std::pow(data.fresh.rows.y[r] - data.fresh.truth[r], 2);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(data.fresh.rows.count)), example.noise,
                0.1 * example.noise);
    EXPECT_EQ(data.train.rows.columns, example.columns.size());
    const MatrixView x = data.train.rows.view();
    if (example.levels > 0) {
      EXPECT_EQ(x(x.rows() - 1, example.category), example.levels - 1);
    }
    EXPECT_EQ(draw_example(example, 1).train.rows.y, data.train.rows.y);
  }
}

TEST(Examples, CorrelateFeaturesInTheSeventh) {
  const ExampleData data = draw_example(examples()[6], 3);
  const MatrixView x = data.train.rows.view();
  for (std::size_t r = 0; r < x.rows(); ++r) {
    EXPECT_NEAR(x(r, 1), 0.7 * x(r, 0) + 0.15, 0.15);
    EXPECT_NEAR(x(r, 3), 0.9 * x(r, 2) + 0.05, 0.05);
  }
}

}  // namespace
}  // namespace kore::experiments::honesty
