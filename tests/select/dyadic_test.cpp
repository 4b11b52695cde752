// The way to the optimum by dyadic pilots, on invented curves.
#include "select/dyadic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "select/made_up_curve.hpp"
#include "select/pilots.hpp"

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const BasisCount additive{3, {5}};

/// What LOO is under the law: bias and the noise floor, inflated by the leverages.
std::function<double(int)> law_shaped(const LawConstants& law, const BasisCount& size, double n) {
  return [=](int g) {
    return law.bias_scale * std::pow(g, -2 * smoothness(size)) + law.variance_scale / (1 - size(g) / n);
  };
}

int minimiser(const std::function<double(int)>& loo, int highest) {
  int best = 1;
  for (int g = 2; g <= highest; ++g)
    if (loo(g) < loo(best)) best = g;
  return best;
}

/// What every selection owes, whatever the curve.
void expect_consistent(const Selection& found, const MadeUpCurve& made_up) {
  std::set<int> measured;
  for (const auto& pass : made_up.passes)
    for (const int g : pass) EXPECT_TRUE(measured.insert(g).second) << g << " was fitted twice";
  EXPECT_EQ(found.fits, static_cast<int>(measured.size()));
  EXPECT_EQ(made_up.curve.fits(), found.fits);
  ASSERT_EQ(found.curve.size(), measured.size());
  for (const auto& [g, score] : found.curve) {
    EXPECT_TRUE(measured.contains(g));
    EXPECT_LE(g, found.largest_stable);
    EXPECT_GE(or_infinity(score.loo), found.loo);
  }
  ASSERT_TRUE(found.curve.contains(found.resolution));
  EXPECT_EQ(or_infinity(found.curve.at(found.resolution).loo), found.loo);
  EXPECT_TRUE(std::ranges::is_sorted(found.certificate));
  EXPECT_FALSE(found.skipped);
}

class LawShaped : public testing::TestWithParam<double> {};

TEST_P(LawShaped, HasItsMinimiserFoundWithAFewFits) {
  const double n = 4000;
  const LawConstants law{GetParam(), 0.01};
  const std::function<double(int)> loo = law_shaped(law, additive, n);
  MadeUpCurve made_up(additive, n, loo);
  const Selection found = select_dyadic(made_up.curve, {});
  expect_consistent(found, made_up);
  EXPECT_EQ(found.largest_stable, 64);
  EXPECT_EQ(found.resolution, minimiser(loo, 64));
  EXPECT_LE(found.fits, 15);
  EXPECT_EQ(found.pilots, (std::vector<int>{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_NEAR(found.law.bias_scale / law.bias_scale, 1, 1e-6);
  EXPECT_NEAR(found.law.variance_scale / law.variance_scale, 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(OfEveryBias, LawShaped, testing::Values(1e-3, 1.0, 1e3, 1e5, 1e7, 1e9));

TEST(DyadicSearch, SolvesTheLawBetweenThePilotsAroundTheLowestOne) {
  const double n = 4000;
  const LawConstants law{1e5, 0.01};
  MadeUpCurve made_up(additive, n, law_shaped(law, additive, n));
  const Selection found = select_dyadic(made_up.curve, {});
  const std::vector<int> around = law_pilots(found);
  ASSERT_EQ(around.size(), 2U);
  EXPECT_EQ(around[1], 4 * around[0]);  // the lowest one lies between them
  EXPECT_EQ(found.plug_in, optimal_resolution(found.law, additive, n, 4, around[0], around[1]));
}

TEST(DyadicSearch, FitsTheNeighboursOfWhatIsLowest) {
  const double n = 4000;
  for (const double cheap_columns : {0.0, 400.0})
    for (const double bias : {1e-3, 1.0, 1e3, 1e5, 1e7, 1e9}) {
      // Waves on the curve make its lowest point another one than the law's.
      const std::function<double(int)> smooth = law_shaped({bias, 0.01}, additive, n);
      MadeUpCurve made_up(additive, n, [&](int g) { return smooth(g) * (1 + 1e-3 * std::cos(2.0 * g)); });
      DyadicOptions options;
      options.cheap_columns = cheap_columns;
      const Selection found = select_dyadic(made_up.curve, options);
      expect_consistent(found, made_up);
      for (const int g : {found.resolution - 1, found.resolution, found.resolution + 1}) {
        const bool wanted = g >= 1 && g <= found.largest_stable;
        EXPECT_EQ(std::ranges::count(found.certificate, g), wanted ? 1 : 0)
            << g << " of " << found.resolution;
      }
    }
}

TEST(DyadicSearch, LeavesTheNeighboursOfADearSolutionOut) {
  const double n = 4000;
  MadeUpCurve made_up(additive, n, law_shaped({1e5, 0.01}, additive, n));
  DyadicOptions options;
  options.cheap_columns = 0;
  options.costly_columns = 0;
  const Selection found = select_dyadic(made_up.curve, options);
  expect_consistent(found, made_up);
  EXPECT_EQ(found.certificate, std::vector<int>{found.resolution});
  EXPECT_EQ(found.resolution, nearest_resolution(found.plug_in, found.largest_stable));
  EXPECT_LT(found.loo, found.curve.at(law_pilots(found)[0]).loo);
  EXPECT_LT(found.loo, found.curve.at(law_pilots(found)[1]).loo);
}

TEST(DyadicSearch, IsNotMisledByACurveThatRisesBeforeItFalls) {
  // A wave that coarse splines miss: worse at 2 than at 1, best at 11.
  const auto loo = [](int g) { return g <= 2 ? 0.9 + 0.1 * g : 0.1 + 0.001 * std::pow(g - 11, 2); };
  MadeUpCurve made_up(additive, 4000, loo);
  ASSERT_LT(loo(1), loo(2));
  const Selection found = select_dyadic(made_up.curve, {});
  expect_consistent(found, made_up);
  EXPECT_EQ(found.resolution, 11);
  EXPECT_LE(found.fits, 15);
}

TEST(DyadicSearch, FollowsAFallingCurveToTheCap) {
  const auto falling = [](int g) { return 1.0 / g; };
  for (const int cap : {1, 2, 3, 5, 16, 19, 64}) {
    MadeUpCurve made_up(additive, 4000, falling);
    DyadicOptions options;
    options.max_resolution = cap;
    const Selection found = select_dyadic(made_up.curve, options);
    expect_consistent(found, made_up);
    EXPECT_EQ(found.largest_stable, cap);
    EXPECT_EQ(found.resolution, cap);
    EXPECT_LE(found.fits, 15);
  }
}

TEST(DyadicSearch, StaysAtTheCoarsestResolutionOfARisingCurve) {
  MadeUpCurve made_up(additive, 4000, [](int g) { return 1 + 0.01 * g; });
  const Selection found = select_dyadic(made_up.curve, {});
  expect_consistent(found, made_up);
  EXPECT_EQ(found.resolution, 1);
}

TEST(DyadicSearch, FitsNothingThatIsNotStable) {
  // p(G) = 1 + 5 (G + 2) is below 0.45 * 200 up to G = 15.
  MadeUpCurve made_up(additive, 200, [](int g) { return 1.0 / g; });
  const Selection found = select_dyadic(made_up.curve, {});
  expect_consistent(found, made_up);
  EXPECT_EQ(found.largest_stable, 15);
  EXPECT_EQ(found.pilots, (std::vector<int>{1, 2, 4, 8}));
}

TEST(DyadicSearch, WithoutAStableResolutionHasTheLooOfTheCoarsestFit) {
  MadeUpCurve made_up(additive, 20, [](int) { return 0.25; });
  ASSERT_FALSE(made_up.curve.stable(1, 0.45));
  const Selection found = select_dyadic(made_up.curve, {});
  expect_consistent(found, made_up);
  EXPECT_EQ(found.resolution, 1);
  EXPECT_EQ(found.loo, 0.25);
  EXPECT_EQ(found.fits, 1);
}

TEST(DyadicSearch, PassesOverFitsWithoutAFiniteLoo) {
  for (const double bad : {nan, infinity}) {
    MadeUpCurve made_up(additive, 4000,
                        [bad](int g) { return g > 10 ? bad : 0.1 + 0.01 * std::pow(g - 6, 2); });
    const Selection found = select_dyadic(made_up.curve, {});
    expect_consistent(found, made_up);
    EXPECT_EQ(found.resolution, 6);
    EXPECT_NEAR(found.loo, 0.1, 1e-12);
    EXPECT_TRUE(std::isfinite(found.plug_in));
  }
}

TEST(DyadicSearch, OfNothingFiniteStaysAtTheCoarsestFit) {
  for (const double bad : {nan, infinity}) {
    MadeUpCurve made_up(additive, 4000, [bad](int) { return bad; });
    const Selection found = select_dyadic(made_up.curve, {});
    expect_consistent(found, made_up);
    EXPECT_EQ(found.resolution, 1);
    EXPECT_EQ(found.loo, infinity);
    EXPECT_FALSE(found.law.usable());
  }
}

TEST(DyadicSearch, AsksForItsPilotsTogether) {
  MadeUpCurve made_up(additive, 4000, law_shaped({1e3, 0.01}, additive, 4000));
  const Selection found = select_dyadic(made_up.curve, {});
  ASSERT_FALSE(made_up.passes.empty());
  EXPECT_EQ(made_up.passes.front(), found.pilots);
  EXPECT_LE(made_up.passes.size(), 6U);
}

TEST(DyadicSearch, EndsHoweverFineItMayGo) {
  DyadicOptions options;
  options.max_resolution = std::numeric_limits<int>::max();
  // No column depends on the resolution: lines and categories.
  MadeUpCurve lines({3, {0}, 8}, 4000, [](int) { return 1.0; });
  const Selection one = select_dyadic(lines.curve, options);
  expect_consistent(one, lines);
  EXPECT_EQ(one.largest_stable, 1);
  EXPECT_EQ(one.fits, 1);
  // None does beyond 9.
  MadeUpCurve few_values({3, {0}, 1, {{5, {9}}}}, 4000, [](int g) { return 1.0 / g; });
  const Selection nine = select_dyadic(few_values.curve, options);
  expect_consistent(nine, few_values);
  EXPECT_EQ(nine.largest_stable, 9);
  EXPECT_EQ(nine.resolution, 9);
  // So many rows that every resolution is stable.
  MadeUpCurve weighty(additive, 1e90, [](int g) { return 1.0 + g; });
  const Selection many = select_dyadic(weighty.curve, options);
  EXPECT_EQ(many.largest_stable, options.max_resolution);
  EXPECT_EQ(many.resolution, 1);
}

TEST(DyadicDiagnostic, TellsTheLawOfTheSelectionWithoutAnotherFit) {
  const double n = 4000;
  MadeUpCurve made_up(additive, n, law_shaped({1e5, 0.01}, additive, n));
  const Selection found = select_dyadic(made_up.curve, {});
  const PilotCheck diagnostic = check_dyadic_pilots(found, additive, n, 0.45, 5, Structure::pairwise);
  EXPECT_EQ(made_up.curve.fits(), found.fits);
  EXPECT_TRUE(diagnostic.suitable) << diagnostic.reason;
  EXPECT_EQ(diagnostic.recommendation, "use pairwise");
  EXPECT_EQ(diagnostic.law.bias_scale, found.law.bias_scale);
  EXPECT_EQ(diagnostic.plug_in, found.plug_in);
  EXPECT_EQ(diagnostic.effective_density, n / 5);
  EXPECT_NEAR(diagnostic.stability_margin, 0.45 - additive(std::round(found.plug_in)) / n, 1e-12);
}

TEST(DyadicDiagnostic, IsThePapersWhereItsPilotsAreThePapers) {
  // Up to resolution 2 both have the pilots 1 and 2.
  const double n = 300;
  MadeUpCurve made_up(additive, n, law_shaped({0.2, 0.0025}, additive, n));
  DyadicOptions options;
  options.max_resolution = 2;
  const PilotCheck ours =
      check_dyadic_pilots(select_dyadic(made_up.curve, options), additive, n, 0.45, 5, Structure::additive);
  SelectorOptions selector;
  selector.max_resolution = 2;
  const PilotCheck papers = check_pilots(made_up.curve, selector, 5, Structure::additive);
  EXPECT_EQ(ours.condition_number, papers.condition_number);
  EXPECT_EQ(ours.law.bias_scale, papers.law.bias_scale);
  EXPECT_EQ(ours.plug_in, papers.plug_in);
  EXPECT_EQ(ours.stability_margin, papers.stability_margin);
  EXPECT_EQ(ours.reason, papers.reason);
}

TEST(DyadicDiagnostic, JudgesFinePilotsByWhatLiesBetweenThem) {
  // At 16 and 64 biases are 1e-10 and less; that says nothing about how well they tell bias from variance.
  const double n = 100'000;
  MadeUpCurve made_up(additive, n, law_shaped({1e9, 1e-3}, additive, n));
  const Selection found = select_dyadic(made_up.curve, {});
  ASSERT_GE(law_pilots(found).front(), 16);
  EXPECT_TRUE(check_dyadic_pilots(found, additive, n, 0.45, 5, Structure::additive).suitable);
}

TEST(LawPilots, AreTheNeighboursOfTheLowestOne) {
  Selection selection;
  selection.pilots = {1, 2, 4, 8};
  const auto with = [&](std::vector<double> loo) {
    for (std::size_t i = 0; i < 4; ++i) selection.curve[selection.pilots[i]].loo = loo[i];
    return law_pilots(selection);
  };
  EXPECT_EQ(with({4, 3, 1, 2}), (std::vector<int>{2, 8}));
  EXPECT_EQ(with({1, 3, 4, 5}), (std::vector<int>{1, 2}));
  EXPECT_EQ(with({4, 3, 2, 1}), (std::vector<int>{4, 8}));
  EXPECT_EQ(with({4, 3, nan, 5}), (std::vector<int>{1, 4}));
}

}  // namespace
}  // namespace kore
