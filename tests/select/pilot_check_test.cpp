#include "kore/error.hpp"
#include "select/made_up_curve.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "kore/pilot_check.hpp"

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A curve that follows the pilot law exactly.
std::function<double(int)> law_curve(const BasisCount& size, double n, double bias_scale,
                                     double variance_scale) {
  return [=](int g) {
    return bias_scale * std::pow(g, -2.0 * (size.degree + 1)) + variance_scale * n / (n - size(g));
  };
}

TEST(PilotCheck, PassesAWellPosedProblemAndReportsWhatItSaw) {
  const BasisCount size{3, {5}};
  MadeUpCurve made_up(size, 300, law_curve(size, 300, 0.2, 0.0025));
  const PilotCheck diagnostic = check_pilots(made_up.curve, {}, 5, Structure::additive);
  EXPECT_TRUE(diagnostic.suitable);
  EXPECT_EQ(diagnostic.reason, "all checks passed");
  EXPECT_EQ(diagnostic.recommendation, "use additive");
  EXPECT_TRUE(diagnostic.advice.empty());
  EXPECT_EQ(diagnostic.n, 300);
  EXPECT_EQ(diagnostic.features, 5u);
  EXPECT_EQ(diagnostic.effective_density, 60);
  EXPECT_NEAR(diagnostic.law.bias_scale, 0.2, 1e-10);
  EXPECT_NEAR(diagnostic.law.variance_scale, 0.0025, 1e-12);
  EXPECT_NEAR(diagnostic.plug_in, dominant_resolution({0.2, 0.0025}, size, 300, 4), 1e-8);
  EXPECT_DOUBLE_EQ(diagnostic.stability_margin, 0.45 - size(std::round(diagnostic.plug_in)) / 300);
}

TEST(PilotCheck, FitsTheTwoPilotsAndNothingElse) {
  const BasisCount size{3, {5}};
  MadeUpCurve made_up(size, 300, law_curve(size, 300, 0.2, 0.0025));
  check_pilots(made_up.curve, {}, 5, Structure::additive);
  EXPECT_EQ(made_up.passes, (std::vector<std::vector<int>>{{1, 15}}));
}

TEST(PilotCheck, RecommendsTheStructureTheSelectorChose) {
  const BasisCount size{3, {5}};
  MadeUpCurve made_up(size, 300, law_curve(size, 300, 0.2, 0.0025));
  EXPECT_EQ(check_pilots(made_up.curve, {}, 5, Structure::pairwise).recommendation, "use pairwise");
}

TEST(PilotCheck, SendsMoreThanThirtyFeaturesToATunedBooster) {
  const BasisCount size{3, {30}};
  MadeUpCurve made_up(size, 5000, law_curve(size, 5000, 0.2, 0.1));
  EXPECT_TRUE(check_pilots(made_up.curve, {}, 30, Structure::additive).suitable);
  const PilotCheck wide = check_pilots(made_up.curve, {}, 31, Structure::additive);
  EXPECT_FALSE(wide.suitable);
  EXPECT_EQ(wide.reason, "too many features (31, more than 30)");
  EXPECT_EQ(wide.recommendation, "use a tuned booster");
  ASSERT_EQ(wide.advice.size(), 1u);
  EXPECT_NE(wide.advice[0].find("booster"), std::string::npos);
}

TEST(PilotCheck, SendsASinglePilotToGcvTunedSplines) {
  // p(1) = 4 < 4.95 <= p(2) = 5.
  MadeUpCurve made_up({3, {1}}, 11, {}, 1.0);
  const PilotCheck single = check_pilots(made_up.curve, {}, 1, Structure::additive);
  EXPECT_FALSE(single.suitable);
  EXPECT_EQ(single.condition_number, infinity);
  EXPECT_EQ(single.law.bias_scale, 0);
  EXPECT_EQ(single.plug_in, 1);
  EXPECT_NEAR(single.stability_margin, 0.45 - 4.0 / 11, 1e-15);
  EXPECT_EQ(single.reason, "no two distinct stable pilots (infinite condition number)");
  EXPECT_EQ(single.recommendation, "use GCV-tuned splines");
  ASSERT_EQ(single.advice.size(), 1u);
  EXPECT_NE(single.advice[0].find("GCV"), std::string::npos);
}

TEST(PilotCheck, SendsIllConditionedPilotsToGcvTunedSplines) {
  // Without the usual share, the upper pilot may fill all rows but one: its leverage factor is n.
  const BasisCount size{3, {1000000}};
  SelectorOptions options;
  options.max_resolution = 2;
  options.stability = 1;
  const double n = size(2) + 1;
  MadeUpCurve made_up(size, n, law_curve(size, n, 1e-3, 1));
  const PilotCheck diagnostic = check_pilots(made_up.curve, options, 3, Structure::additive);
  EXPECT_GT(diagnostic.condition_number, 1e6);
  EXPECT_LT(diagnostic.condition_number, infinity);
  EXPECT_EQ(diagnostic.reason, "ill-conditioned pilots (condition number 4e+06, above 1e+06)");
  EXPECT_EQ(diagnostic.recommendation, "use GCV-tuned splines");
}

TEST(PilotCheck, SendsASmallStabilityMarginToExhaustiveCrossValidation) {
  // The law wants more than the stable range has: G_dagger is G_eff = 3 with p = 31 of 0.45 * 70 = 31.5.
  const BasisCount size{3, {6}};
  MadeUpCurve made_up(size, 70, law_curve(size, 70, 1e3, 1e-3));
  const PilotCheck tight = check_pilots(made_up.curve, {}, 6, Structure::additive);
  EXPECT_EQ(tight.plug_in, 3);
  EXPECT_NEAR(tight.stability_margin, 0.45 - 31.0 / 70, 1e-15);
  EXPECT_FALSE(tight.suitable);
  EXPECT_EQ(tight.reason, "small stability margin (0.00714, below 0.05)");
  EXPECT_EQ(tight.recommendation, "use exhaustive cross-validation at the boundary");
  ASSERT_EQ(tight.advice.size(), 1u);
  EXPECT_NE(tight.advice[0].find("cross-validate"), std::string::npos);
}

TEST(PilotCheck, JoinsItsReasonsAndFollowsTheFirst) {
  MadeUpCurve made_up({3, {40}}, 60, {}, 1.0);  // p(1) = 121 rows would be too many for 60
  const PilotCheck hopeless = check_pilots(made_up.curve, {}, 40, Structure::additive);
  EXPECT_EQ(
      hopeless.reason,
      "too many features (40, more than 30); no two distinct stable pilots (infinite condition number); "
      "small stability margin (-1.57, below 0.05)");
  EXPECT_EQ(hopeless.recommendation, "use a tuned booster");
  EXPECT_EQ(hopeless.advice.size(), 3u);
}

TEST(PilotCheck, StaysAtResolutionOneWhereTheConstantsAreNotBothPositive) {
  // The upper pilot is far better, yet the diagnostic does not follow it as the selector does.
  MadeUpCurve made_up({3, {2}}, 1000, {{1, 1.0}}, 1e-12);
  const PilotCheck diagnostic = check_pilots(made_up.curve, {}, 2, Structure::additive);
  EXPECT_LT(diagnostic.law.variance_scale, 0);
  EXPECT_EQ(diagnostic.plug_in, 1);
  EXPECT_NEAR(diagnostic.stability_margin, 0.45 - 7.0 / 1000, 1e-15);
  EXPECT_TRUE(diagnostic.suitable);
}

TEST(PilotCheck, IsNotPoisonedByAPilotWithoutAFiniteLoo) {
  for (double loo : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
    MadeUpCurve made_up({3, {2}}, 1000, {{15, loo}}, 1.0);
    const PilotCheck diagnostic = check_pilots(made_up.curve, {}, 2, Structure::additive);
    EXPECT_EQ(diagnostic.law.bias_scale, 0);
    EXPECT_EQ(diagnostic.law.variance_scale, 0);
    EXPECT_EQ(diagnostic.plug_in, 1);
    EXPECT_TRUE(std::isfinite(diagnostic.stability_margin));
  }
}

TEST(PilotCheck, RefusesOptionsOutOfRange) {
  MadeUpCurve made_up({3, {2}}, 1000, {}, 1.0);
  SelectorOptions options;
  options.max_resolution = 0;
  EXPECT_THROW(check_pilots(made_up.curve, options, 2, Structure::additive), Error);
}

}  // namespace
}  // namespace kore
