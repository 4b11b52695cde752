#include "kore/error.hpp"
#include "select/made_up_curve.hpp"
#include "select/pilots.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One cubic main effect, `p(G) = G + 3`. With 1000 rows all of 1..20 is stable and the pilots are 1 and 15.
const BasisCount line{3, {1}};

SelectorOptions pairwise_options() {
  SelectorOptions options;
  options.max_resolution = 10;
  options.radius = 1;
  options.skip_if_unstable = true;
  return options;
}

std::function<double(int)> law_curve(const BasisCount& size, double n, LawConstants law) {
  return [=](int g) {
    return law.bias_scale * std::pow(g, -2.0 * (size.degree + 1)) + law.variance_scale * n / (n - size(g));
  };
}

std::vector<int> range(int first, int last) {
  std::vector<int> values;
  for (int value = first; value <= last; ++value) values.push_back(value);
  return values;
}

TEST(Selector, SolvesTheLawOfACurveThatFollowsIt) {
  const LawConstants law{1.0, 0.03};
  MadeUpCurve made_up(line, 1000, law_curve(line, 1000, law));
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.largest_stable, 20);
  EXPECT_EQ(found.pilots, (std::vector{1, 15}));
  EXPECT_NEAR(found.law.bias_scale, 1.0, 1e-10);
  EXPECT_NEAR(found.law.variance_scale, 0.03, 1e-10);
  EXPECT_NEAR(found.plug_in, dominant_resolution(law, line, 1000, 4), 1e-8);  // 4.007
  EXPECT_EQ(found.certificate, range(1, 7));
  EXPECT_EQ(found.fits, 8);
  EXPECT_EQ(found.curve.size(), 8u);
  EXPECT_FALSE(found.bridged);
  EXPECT_FALSE(found.skipped);
  const auto best =
      std::ranges::min_element(found.curve, {}, [](const auto& point) { return point.second.loo; });
  EXPECT_EQ(found.resolution, best->first);
  EXPECT_EQ(found.loo, best->second.loo);
}

TEST(Selector, MeasuresThePilotsTogetherAndThenTheRestOfTheCertificate) {
  MadeUpCurve made_up(line, 1000, law_curve(line, 1000, {1.0, 0.03}));
  select_resolution(made_up.curve, {});
  EXPECT_EQ(made_up.passes, (std::vector<std::vector<int>>{{1, 15}, range(2, 7)}));
}

TEST(Selector, UsesTheSmoothnessOfItsDegree) {
  const BasisCount quadratic{2, {3, 2}};
  const LawConstants law{0.5, 0.01};
  MadeUpCurve made_up(quadratic, 2000, law_curve(quadratic, 2000, law));
  const Selection found = select_resolution(made_up.curve, pairwise_options());
  EXPECT_NEAR(found.law.bias_scale, 0.5, 1e-9);
  EXPECT_NEAR(found.plug_in, optimal_resolution(law, quadratic, 2000, 3, 1, 10), 1e-7);
}

TEST(Selector, FitsTheCoarsestModelOfFewRowsButLetsItLoseToAnyFamily) {
  MadeUpCurve made_up({3, {2}}, 10, {}, 0.25);  // p(1) = 7 of at most 4.5
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_FALSE(found.skipped);
  EXPECT_EQ(found.resolution, 1);
  EXPECT_EQ(found.loo, infinity);
  EXPECT_EQ(found.fits, 1);
  EXPECT_EQ(found.curve.at(1).loo, 0.25);
  EXPECT_EQ(found.largest_stable, 1);
  EXPECT_EQ(found.plug_in, 1);
  EXPECT_TRUE(found.pilots.empty());
  EXPECT_TRUE(found.certificate.empty());
  EXPECT_FALSE(found.law.usable());
}

TEST(Selector, ScoresTheCoarsestModelOfFewRowsIfAsked) {
  MadeUpCurve made_up({3, {2}}, 10, {}, 0.25);
  SelectorOptions options;
  options.score_unstable = true;
  const Selection found = select_resolution(made_up.curve, options);
  EXPECT_EQ(found.loo, 0.25);
  EXPECT_EQ(found.fits, 1);
  EXPECT_TRUE(found.pilots.empty());
}

TEST(Selector, SkipsAFamilyThatMayBeSkipped) {
  MadeUpCurve made_up({3, {2, 1}}, 30, {}, 0.25);  // p(1) = 16 of at most 13.5
  const Selection found = select_resolution(made_up.curve, pairwise_options());
  EXPECT_TRUE(found.skipped);
  EXPECT_EQ(found.loo, infinity);
  EXPECT_EQ(found.fits, 0);
  EXPECT_TRUE(found.curve.empty());
  EXPECT_TRUE(made_up.passes.empty());
}

TEST(Selector, LowersTheUpperPilotToTheStableRangeAndMakesDoWithOne) {
  // p(1) = 16 < 18 <= p(2) = 25: G_b starts at 2 and ends at 1.
  MadeUpCurve made_up({3, {2, 1}}, 40, {}, 0.25);
  const Selection found = select_resolution(made_up.curve, pairwise_options());
  EXPECT_FALSE(found.skipped);
  EXPECT_EQ(found.largest_stable, 1);
  EXPECT_EQ(found.pilots, std::vector{1});
  EXPECT_EQ(found.law.bias_scale, 0);
  EXPECT_EQ(found.law.variance_scale, 0);
  EXPECT_EQ(found.plug_in, 1);
  EXPECT_EQ(found.certificate, std::vector{1});
  EXPECT_EQ(found.loo, 0.25);
  EXPECT_EQ(found.fits, 1);
}

TEST(Selector, NeedsTheBasisStrictlyBelowTheStableShare) {
  MadeUpCurve made_up(line, 20, {}, 1.0);  // 0.45 * 20 = 9 = p(6)
  EXPECT_EQ(select_resolution(made_up.curve, {}).largest_stable, 5);
}

TEST(Selector, PlacesTheUpperPilotAtThreeQuartersButNotBelowTwo) {
  for (const auto& [n, pilot] :
       std::map<double, int>{{12, 2}, {14, 2}, {16, 3}, {18, 3}, {20, 3}, {1000, 15}}) {
    // n = 12, 14, 16, 18, 20: the largest stable resolution is 2, 3, 4, 5, 5
    MadeUpCurve made_up(line, n, {}, 1.0);
    EXPECT_EQ(select_resolution(made_up.curve, {}).pilots.back(), pilot) << n;
  }
}

TEST(Selector, FitsNothingBeyondTheLargestResolution) {
  SelectorOptions options;
  options.max_resolution = 1;
  MadeUpCurve made_up(line, 1000, {}, 1.0);
  const Selection found = select_resolution(made_up.curve, options);
  EXPECT_EQ(found.pilots, std::vector{1});
  EXPECT_EQ(found.fits, 1);
}

TEST(Selector, FallsBackToTheBetterPilotWhereTheBiasScaleIsNotPositive) {
  MadeUpCurve made_up(line, 1000, {{1, 1.0}, {15, 50.0}}, 2.0);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_LT(found.law.bias_scale, 0);
  EXPECT_EQ(found.plug_in, 1);
  EXPECT_EQ(found.certificate, range(1, 4));
  EXPECT_EQ(found.resolution, 1);
  EXPECT_EQ(found.fits, 5);
}

TEST(Selector, FallsBackToTheBetterPilotWhereTheVarianceScaleIsNotPositive) {
  MadeUpCurve made_up(line, 1000, {{1, 1.0}, {15, 1e-12}, {17, 1e-13}}, 2.0);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_LT(found.law.variance_scale, 0);
  EXPECT_EQ(found.plug_in, 15);
  EXPECT_EQ(found.certificate, range(12, 18));
  EXPECT_EQ(found.resolution, 17);
  EXPECT_EQ(found.fits, 8);
}

TEST(Selector, FallsBackToTheLowerPilotOnATie) {
  MadeUpCurve made_up(line, 1000, {{1, 0.0}, {15, 0.0}}, 2.0);  // both constants are zero
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.law.bias_scale, 0);
  EXPECT_EQ(found.plug_in, 1);
  EXPECT_EQ(found.resolution, 1);
}

TEST(Selector, ClipsTheRootToTheUpperEndOfTheStableRange) {
  MadeUpCurve made_up(line, 1000, law_curve(line, 1000, {1e3, 1e-6}));
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_TRUE(found.law.usable());
  EXPECT_EQ(found.plug_in, 20);
  EXPECT_EQ(found.certificate, range(17, 20));
}

TEST(Selector, ClipsTheRootToResolutionOne) {
  MadeUpCurve made_up(line, 1000, law_curve(line, 1000, {1e-6, 1}));
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_TRUE(found.law.usable());
  EXPECT_EQ(found.plug_in, 1);
  EXPECT_EQ(found.certificate, range(1, 4));
}

TEST(Selector, RoundsTheRootHalfToEven) {
  EXPECT_EQ(nearest_resolution(2.5, 20), 2);
  EXPECT_EQ(nearest_resolution(3.5, 20), 4);
  EXPECT_EQ(nearest_resolution(4.5, 20), 4);
  EXPECT_EQ(nearest_resolution(std::nextafter(2.5, 3), 20), 3);
  EXPECT_EQ(nearest_resolution(std::nextafter(3.5, 3), 20), 3);
  EXPECT_EQ(nearest_resolution(7.0, 20), 7);
  EXPECT_EQ(nearest_resolution(0.2, 20), 1);
  EXPECT_EQ(nearest_resolution(25.0, 20), 20);
}

TEST(Selector, CertifiesAroundTheRoundedRoot) {
  // 8 A n / tau = G^9 puts the root on either side of 5.5, where the certificate moves from 5 +- 3 to 6 +- 3.
  for (const auto& [root, middle] : std::map<double, int>{{5.4999, 5}, {5.5001, 6}}) {
    const LawConstants law{std::pow(root, 9) / 8000, 1};
    MadeUpCurve made_up(line, 1000, law_curve(line, 1000, law));
    EXPECT_EQ(select_resolution(made_up.curve, {}).certificate, range(middle - 3, middle + 3));
  }
}

TEST(Selector, KeepsTheLowerPilotOnATieOfThePilots) {
  MadeUpCurve made_up(line, 1000, {{1, 0.5}, {15, 0.5}}, 0.7);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.resolution, 1);
  EXPECT_EQ(found.loo, 0.5);
}

TEST(Selector, KeepsTheSmallerResolutionOnATieInTheCertificate) {
  MadeUpCurve made_up(line, 1000, {{1, 1.0}, {15, 0.03}, {3, 0.01}, {5, 0.01}}, 0.5);
  EXPECT_EQ(select_resolution(made_up.curve, {}).resolution, 3);
}

TEST(Selector, KeepsThePilotOnATieWithTheCertificate) {
  MadeUpCurve made_up(line, 1000, {{1, 1.0}, {15, 0.03}, {3, 0.03}}, 0.5);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_TRUE(std::ranges::count(found.certificate, 3) == 1);
  EXPECT_EQ(found.resolution, 15);
}

TEST(Selector, CountsAFitOnceHoweverOftenItLooks) {
  MadeUpCurve made_up(line, 1000, law_curve(line, 1000, {1.0, 0.03}));
  const Selection first = select_resolution(made_up.curve, {});
  const Selection again = select_resolution(made_up.curve, {});
  EXPECT_EQ(made_up.curve.fits(), first.fits);
  EXPECT_EQ(again.fits, first.fits);
  EXPECT_EQ(made_up.passes.size(), 2u);
}

TEST(Selector, DoesNotCountFitsThatOthersMadeOnTheSameCurve) {
  MadeUpCurve made_up(line, 1000, law_curve(line, 1000, {1.0, 0.03}));
  made_up.curve.prepare(range(1, 20));
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.fits, 8);
  EXPECT_FALSE(found.curve.contains(20));
}

TEST(Selector, NeverPrefersALooThatIsNotFinite) {
  for (double broken : {infinity, nan}) {
    MadeUpCurve lower(line, 1000, {{1, broken}, {15, 0.03}, {14, 0.02}, {13, broken}}, 0.5);
    const Selection found = select_resolution(lower.curve, {});
    EXPECT_EQ(found.law.bias_scale, 0);
    EXPECT_EQ(found.law.variance_scale, 0);
    EXPECT_EQ(found.plug_in, 15);
    EXPECT_EQ(found.resolution, 14);
    EXPECT_EQ(found.loo, 0.02);

    MadeUpCurve upper(line, 1000, {{1, 0.4}, {15, broken}, {2, broken}}, 0.5);
    EXPECT_EQ(select_resolution(upper.curve, {}).plug_in, 1);
    EXPECT_EQ(select_resolution(upper.curve, {}).resolution, 1);

    MadeUpCurve inside(line, 1000, {{1, 1.0}, {15, 0.03}, {3, broken}, {4, 0.01}}, 0.5);
    EXPECT_EQ(select_resolution(inside.curve, {}).resolution, 4);
  }
}

TEST(Selector, ReportsAnInfiniteLooWhereNothingIsFinite) {
  for (double broken : {infinity, nan}) {
    MadeUpCurve made_up(line, 1000, {}, broken);
    const Selection found = select_resolution(made_up.curve, {});
    EXPECT_EQ(found.resolution, 1);
    EXPECT_EQ(found.loo, infinity);
    EXPECT_EQ(found.plug_in, 1);
  }
}

TEST(Selector, RefusesOptionsOutOfRange) {
  MadeUpCurve made_up(line, 1000, {}, 1.0);
  const auto refuses = [&](auto change) {
    SelectorOptions options;
    change(options);
    EXPECT_THROW(select_resolution(made_up.curve, options), Error);
  };
  refuses([](SelectorOptions& o) { o.max_resolution = 0; });
  refuses([](SelectorOptions& o) { o.radius = -1; });
  refuses([](SelectorOptions& o) { o.stability = 0; });
  refuses([](SelectorOptions& o) { o.stability = nan; });
  refuses([](SelectorOptions& o) { o.pilot_fraction = 1.5; });
  refuses([](SelectorOptions& o) { o.bridge_gain = -0.1; });
  EXPECT_TRUE(made_up.passes.empty());
}

TEST(Selector, KeepsItsPromisesOnRandomCurvesFullOfTies) {
  std::mt19937 generator(3);
  for (int round = 0; round < 2000; ++round) {
    std::map<int, double> table;
    for (int g = 1; g <= 20; ++g) table[g] = static_cast<double>(generator() % 4 + 1) * 0.01;
    if (round % 2 == 0) table[1] = 1.0;
    const double n = 10 + static_cast<double>(generator() % 60);
    SelectorOptions options;
    options.radius = static_cast<int>(generator() % 4);
    MadeUpCurve made_up(line, n, table, nan);
    const Selection found = select_resolution(made_up.curve, options);

    std::set<int> asked;
    for (const auto& pass : made_up.passes) {
      for (const int g : pass) EXPECT_TRUE(asked.insert(g).second) << "fitted twice";
    }
    EXPECT_EQ(found.fits, static_cast<int>(asked.size()));
    EXPECT_LE(*asked.rbegin(), found.largest_stable);
    EXPECT_EQ(found.loo, table.at(found.resolution));
    for (const int g : found.pilots) EXPECT_LE(found.loo, table.at(g));
    for (const int g : found.certificate) EXPECT_LE(found.loo, table.at(g));
    const bool seen_early = std::ranges::count(found.pilots, found.resolution) > 0 ||
                            std::ranges::count(found.certificate, found.resolution) > 0;
    EXPECT_NE(found.bridged, seen_early);
  }
}

}  // namespace
}  // namespace kore
