#include "kore/error.hpp"
#include "select/made_up_curve.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace kore {
namespace {

double square(int resolution) { return static_cast<double>(resolution) * resolution; }

TEST(ResolutionCurve, FitsNothingBeforeItIsAsked) {
  MadeUpCurve made_up({3, {4}}, 100, square);
  EXPECT_EQ(made_up.curve.fits(), 0);
  EXPECT_TRUE(made_up.passes.empty());
  EXPECT_EQ(made_up.curve.weight_sum(), 100);
  EXPECT_EQ(made_up.curve.size()(1), 13);
}

TEST(ResolutionCurve, FitsEveryResolutionOnce) {
  MadeUpCurve made_up({3, {4}}, 100, square);
  EXPECT_EQ(made_up.curve.loo(5), 25);
  EXPECT_EQ(made_up.curve.at(5).p, 29u);
  EXPECT_EQ(made_up.curve.loo(5), 25);
  EXPECT_EQ(made_up.curve.loo(2), 4);
  EXPECT_EQ(made_up.curve.fits(), 2);
  EXPECT_EQ(made_up.passes, (std::vector<std::vector<int>>{{5}, {2}}));
}

TEST(ResolutionCurve, PreparesTheMissingResolutionsInOnePassAndInOrder) {
  MadeUpCurve made_up({3, {4}}, 100, square);
  made_up.curve.prepare(std::vector{3});
  made_up.curve.prepare(std::vector{7, 3, 2, 7, 5});
  made_up.curve.prepare(std::vector{2, 3});
  made_up.curve.prepare(std::vector<int>{});
  EXPECT_EQ(made_up.passes, (std::vector<std::vector<int>>{{3}, {7, 2, 5}}));
  EXPECT_EQ(made_up.curve.loo(7), 49);
  EXPECT_EQ(made_up.curve.loo(2), 4);
  EXPECT_EQ(made_up.curve.fits(), 4);
  EXPECT_EQ(made_up.curve.points().size(), 4u);
}

TEST(ResolutionCurve, CallsAResolutionStableOnlyStrictlyBelowTheShare) {
  MadeUpCurve made_up({3, {1}}, 20, square);  // p(G) = G + 3, and 0.45 * 20 is 9
  EXPECT_TRUE(made_up.curve.stable(5, 0.45));
  EXPECT_FALSE(made_up.curve.stable(6, 0.45));
}

TEST(ResolutionCurve, RefusesResolutionsBelowOneAndFitsNoneOfTheOthers) {
  MadeUpCurve made_up({3, {4}}, 100, square);
  EXPECT_THROW(made_up.curve.at(0), Error);
  EXPECT_THROW(made_up.curve.prepare(std::vector{2, -1}), Error);
  EXPECT_EQ(made_up.curve.fits(), 0);
}

TEST(ResolutionCurve, RefusesAMeasureThatOwesScores) {
  ResolutionCurve curve({3, {4}}, 100, [](std::span<const int>) { return std::vector<FitScore>(1); });
  EXPECT_NO_THROW(curve.at(1));
  EXPECT_THROW(curve.prepare(std::vector{2, 3}), Error);
  EXPECT_EQ(curve.fits(), 1);
}

TEST(ResolutionCurve, RemembersNothingOfAFitThatFailed) {
  int calls = 0;
  ResolutionCurve curve({3, {4}}, 100, [&calls](std::span<const int> resolutions) {
    if (++calls == 1) throw std::runtime_error("no");
    return std::vector<FitScore>(resolutions.size());
  });
  EXPECT_THROW(curve.at(4), std::runtime_error);
  EXPECT_EQ(curve.fits(), 0);
  EXPECT_NO_THROW(curve.at(4));
  EXPECT_EQ(calls, 2);
}

TEST(ResolutionCurve, RefusesToBeBuiltWithoutRowsOrMeasure) {
  const auto measure = [](std::span<const int> resolutions) {
    return std::vector<FitScore>(resolutions.size());
  };
  EXPECT_THROW(ResolutionCurve({3, {4}}, 0, measure), Error);
  EXPECT_THROW(ResolutionCurve({3, {4}}, std::numeric_limits<double>::quiet_NaN(), measure), Error);
  EXPECT_THROW(ResolutionCurve({3, {4}}, 100, nullptr), Error);
}

}  // namespace
}  // namespace kore
