// Scales of the target: there and back, and means carried by a table.
#include "kore/target_scale.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/refusal.hpp"

namespace kore {
namespace {

constexpr std::array scales{TargetScale::identity, TargetScale::square_root, TargetScale::logarithm};

TEST(TargetScale, ThereAndBackIsTheTarget) {
  for (const TargetScale scale : scales)
    for (const double target : {1e-9, 0.5, 1.0, 17.25, 3e8})
      EXPECT_NEAR(from_scale(scale, to_scale(scale, target)), target, 1e-14 * target * 20);
  EXPECT_EQ(from_scale(TargetScale::square_root, to_scale(TargetScale::square_root, 0)), 0);
}

TEST(TargetScale, BackNeverFallsAndIsNotNegativeButOnTheIdentity) {
  for (const TargetScale scale : {TargetScale::square_root, TargetScale::logarithm}) {
    double last = 0;
    for (double value = -50; value < 50; value += 0.25) {
      EXPECT_GE(from_scale(scale, value), last);
      last = from_scale(scale, value);
    }
  }
}

TEST(TargetScale, SaysWhichTargetsItCanHave) {
  EXPECT_TRUE(allows(TargetScale::identity, -3));
  EXPECT_TRUE(allows(TargetScale::square_root, 0));
  EXPECT_FALSE(allows(TargetScale::square_root, -1e-300));
  EXPECT_TRUE(allows(TargetScale::logarithm, 1e-300));
  EXPECT_FALSE(allows(TargetScale::logarithm, 0));
}

TEST(TargetScale, HasWordsThatNameIt) {
  for (const char* word : {"auto", "identity", "sqrt", "log"}) EXPECT_EQ(word_for(scale_named(word)), word);
  EXPECT_EQ(test::refusal(ErrorCode::invalid_argument, [] { scale_named("cube"); }),
            "'cube' is not a scale of the target; it must be auto, identity, sqrt or log.");
}

TEST(MeanShift, IsLinearBetweenPlacesAndLevelBeyond) {
  const MeanShift shift{{1, 3}, {0.5, -0.5}};
  EXPECT_EQ(shift(0), 0.5);
  EXPECT_EQ(shift(2), 0);
  EXPECT_EQ(shift(9), -0.5);
  EXPECT_EQ(MeanShift{}(4), 0);
  EXPECT_DOUBLE_EQ(mean_on(TargetScale::logarithm, shift, 0), std::exp(0.5));
  EXPECT_DOUBLE_EQ(mean_on(TargetScale::square_root, shift, 3), 6.25);
  EXPECT_EQ(mean_on(TargetScale::identity, shift, 3), 3);
}

}  // namespace
}  // namespace kore
