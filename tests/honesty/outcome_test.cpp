#include "experiments/honesty/outcome.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kore::experiments::honesty {
namespace {

TEST(Truth, LooksAtTheEndsOfThePredictionsApart) {
  constexpr std::size_t rows = 40;
  std::vector<double> predicted;
  std::vector<double> target;
  std::vector<Interval> intervals;
  for (std::size_t r = 0; r < rows; ++r) {
    predicted.push_back(static_cast<double>(rows - r));  // the first rows have the largest predictions
    target.push_back(predicted[r] + (r < 3 ? 2.0 : 0.0));
    intervals.push_back({predicted[r] - 1, predicted[r] + 1});
  }
  const Truth truth = truth_of(predicted, intervals, target);
  EXPECT_DOUBLE_EQ(truth.covered, 37.0 / 40);
  EXPECT_DOUBLE_EQ(truth.covered_top, 1.0 / 4)
      << "three of the four rows with the largest predictions are out";
  EXPECT_DOUBLE_EQ(truth.covered_bottom, 1);
  EXPECT_DOUBLE_EQ(truth.rmse, std::sqrt(3 * 4.0 / 40));
}

TEST(Outcome, OfAnExactLineIsExact) {
  StudyRows train{60, 1, {}, {}};
  for (std::size_t r = 0; r < train.count; ++r) {
    train.x.push_back(static_cast<double>(r) / 60);
    train.y.push_back(3 * train.x[r] + (r % 2 == 0 ? 0.1 : -0.1));
  }
  const Outcome ridge = measure_ridge(train, train);
  EXPECT_NEAR(ridge.truth.rmse, 0.1, 0.003);
  EXPECT_NEAR(ridge.true_over_stated(), 1, 0.05);
  const Outcome kore = measure(train, train);
  EXPECT_NEAR(kore.truth.rmse, 0.1, 0.01);
  EXPECT_TRUE(kore.stated.suitable) << kore.stated.verdict;
  EXPECT_GE(kore.truth.covered, 0.85);
}

}  // namespace
}  // namespace kore::experiments::honesty
