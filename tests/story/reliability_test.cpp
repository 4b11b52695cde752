// Whether intervals hold everywhere, in a sentence.
#include "story/reliability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kore::story {
namespace {

FitSummary with_coverage(std::initializer_list<double> covered) {
  FitSummary summary;
  summary.accuracy.emplace().rmse = 2;
  summary.accuracy->r2 = 0.75;
  for (const double share : covered)
    summary.accuracy->by_prediction.push_back(
        {.weight = 200, .predicted = 1, .observed = 1, .low = 0, .high = 2, .rmse = 1, .covered = share});
  return summary;
}

TEST(IntervalCheck, SaysInWhichRangeTheyHold) {
  const IntervalCheck check = interval_check(with_coverage({0.91, 0.88, 0.9, 0.94, 0.92}));
  EXPECT_TRUE(check.holds);
  EXPECT_EQ(check.sentence,
            "90 % intervals hold 88 % to 94 % of the left-out rows in each fifth of the predictions");
}

TEST(IntervalCheck, FailsWhereOnePartIsCoveredTooRarely) {
  const IntervalCheck check =
      interval_check(with_coverage({0.95, 0.93, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.71}));
  EXPECT_FALSE(check.holds);
  EXPECT_NE(check.sentence.find("80 % in the 9th tenth, 71 % in the tenth with the largest predictions"),
            std::string::npos)
      << check.sentence;
}

TEST(IntervalCheck, IsNotFooledByFewRows) {
  PredictionGroup group{.weight = 20, .covered = 0.8};
  EXPECT_FALSE(too_narrow(group)) << "16 of 20 may be chance";
  group.weight = 200;
  EXPECT_TRUE(too_narrow(group));
}

TEST(IntervalCheck, SaysNothingWhereThereAreNoIntervals) {
  EXPECT_EQ(interval_check(with_coverage({std::numeric_limits<double>::quiet_NaN()})).sentence, "");
  EXPECT_EQ(interval_check({}).sentence, "");
}

TEST(GainOverTheMean, IsHowMuchSmallerTheErrorIs) {
  // One less 0.75 of the variance is left, a quarter, which is half of the error: the mean has 4.
  const std::string gain = gain_over_mean(with_coverage({0.9, 0.9}));
  EXPECT_NE(gain.find("has RMSE 4; that of the model is 50.0 % smaller"), std::string::npos) << gain;
}

}  // namespace
}  // namespace kore::story
