#include "kore/law.hpp"

#include "kore/error.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The derivative of the excess risk as the paper prints it (eq. 16), with its powers written out.
double risk_slope(const LawConstants& law, const BasisCount& size, double n, double beta, double g) {
  double variance = 0;
  for (std::size_t t = 1; t <= size.terms.size(); ++t) {
    variance += static_cast<double>(t) * static_cast<double>(size.terms[t - 1]) *
                std::pow(g + size.degree - 1, static_cast<double>(t) - 1);
  }
  return -2 * beta * law.bias_scale * std::pow(g, -(2 * beta + 1)) + law.variance_scale / n * variance;
}

/// The minimiser of the excess risk by brute force: three nested grids.
double minimise_on_grids(const LawConstants& law, const BasisCount& size, double n, double beta,
                         double lowest, double highest) {
  double best = lowest;
  for (int round = 0; round < 3; ++round) {
    const double step = (highest - lowest) / 2000;
    double smallest = infinity;
    for (int i = 0; i <= 2000; ++i) {
      const double g = lowest + step * i;
      const double risk = excess_risk(law, size, n, beta, g);
      if (risk < smallest) {
        smallest = risk;
        best = g;
      }
    }
    const double left = std::max(lowest, best - step);
    highest = std::min(highest, best + step);
    lowest = left;
  }
  return best;
}

/// Gaussian elimination with the larger pivot, the second route to the pilot constants.
LawConstants eliminate(const PilotPoint& a, const PilotPoint& b, double n, double beta) {
  double rows[2][3] = {{std::pow(a.resolution, -2 * beta), 1 / (1 - a.p / n), a.loo},
                       {std::pow(b.resolution, -2 * beta), 1 / (1 - b.p / n), b.loo}};
  if (std::abs(rows[1][0]) > std::abs(rows[0][0])) std::swap(rows[0], rows[1]);
  const double factor = rows[1][0] / rows[0][0];
  const double tau = (rows[1][2] - factor * rows[0][2]) / (rows[1][1] - factor * rows[0][1]);
  return {(rows[0][2] - rows[0][1] * tau) / rows[0][0], tau};
}

struct Case {
  LawConstants law;
  BasisCount size;
  double n;
};

std::vector<Case> interior_cases() {
  return {{{1.0, 0.01}, {3, {20}}, 2400},      {{0.3, 0.3}, {3, {10, 5}}, 4000},
          {{2.0, 1e-4}, {2, {4, 2}}, 500},     {{5.0, 1e-3}, {5, {12, 8, 4}}, 90000},
          {{0.2, 1e-3}, {3, {0, 3}, 7}, 3000}, {{1e-200, 1e-203}, {3, {5}}, 1000},
          {{1e200, 1e197}, {3, {5}}, 1000}};
}

TEST(BasisCount, MatchesThePrintedCountsOfBothFamilies) {
  for (int degree : {2, 3, 5}) {
    for (int g : {1, 4, 17}) {
      const double m = g + degree - 1;
      EXPECT_EQ((BasisCount{degree, {7}}(g)), 7 * (g + degree) - 6);
      EXPECT_EQ((BasisCount{degree, {7, 4}}(g)), 1 + 7 * m + 4 * m * m);
      EXPECT_EQ((BasisCount{degree, {7, 4, 2}}(g)), 1 + 7 * m + 4 * m * m + 2 * m * m * m);
    }
  }
}

TEST(BasisCount, AddsTheColumnsThatDoNotDependOnTheResolution) {
  const BasisCount plain{3, {2, 1}};
  const BasisCount with_linear{3, {2, 1}, 6};
  EXPECT_EQ(with_linear(5), plain(5) + 5);
  EXPECT_EQ(with_linear.derivative(5), plain.derivative(5));
}

TEST(BasisCount, HasTheDerivativeThatFiniteDifferencesShow) {
  for (const BasisCount& size : {BasisCount{3, {9}}, BasisCount{2, {4, 3}}, BasisCount{5, {6, 0, 2}}}) {
    for (double g : {1.0, 2.5, 11.0}) {
      const double h = 1e-4;
      const double difference = (size(g + h) - size(g - h)) / (2 * h);
      EXPECT_NEAR(size.derivative(g), difference, 1e-6 * difference);
    }
  }
}

TEST(BasisCount, LetsNoCoordinateGrowBeyondItsLimit) {
  // Two main effects without a limit, one that ends at 4, and thrice a pair of limits 2 and 7.
  const BasisCount size{3, {2}, 5, {{1, {4}}, {3, {2, 7}}}};
  for (const double g : {1.0, 1.5, 2.0, 3.5, 4.0, 6.0, 7.0, 20.0}) {
    const auto functions = [g](double limit) { return std::min(g, limit) + 2; };
    EXPECT_DOUBLE_EQ(size(g), 5 + 2 * (g + 2) + functions(4) + 3 * functions(2) * functions(7));
    const double h = 1e-5;
    EXPECT_NEAR(size.derivative(g), (size(g) - size(g - h)) / h, 1e-3) << "from the left, at " << g;
  }
  EXPECT_EQ(size.order(), 2);
  EXPECT_EQ(size.terms_of(1), 3U);
  EXPECT_EQ(size.terms_of(2), 3U);
  EXPECT_EQ(size.finest(), infinity);
  EXPECT_EQ((BasisCount{3, {0}, 1, {{1, {4}}, {3, {2, 7}}}}.finest()), 7);
  EXPECT_EQ((BasisCount{3, {0}, 4}.finest()), infinity);
  EXPECT_EQ(effective_density(300, size), 100);
}

TEST(Law, SeeksNothingBeyondWhatTheBasisCanGrowTo) {
  const BasisCount size{3, {0}, 1, {{1, {4}}, {1, {6}}}};
  const LawConstants steep{1e9, 0.01};
  EXPECT_EQ(optimal_resolution(steep, size, 1000, 4, 1, 64), 6);
  EXPECT_EQ(forecast(steep, size, 1000, 4, 2).resolution, 6);
  // Where the optimum lies below all limits, they do not matter.
  const LawConstants flat{1, 0.1};
  EXPECT_NEAR(optimal_resolution(flat, size, 1000, 4, 1, 64),
              optimal_resolution(flat, {3, {2}}, 1000, 4, 1, 64), 1e-10);
}

TEST(BasisCount, WhereOnlyCyclicCoordinatesGrowTheLowestResolutionIsNoOptimum) {
  const BasisCount size{3, {0}, 2, {{1, {40}, {4}}}};  // with as many columns at 1 to 4
  const LawConstants law{1e6, 1};
  double best = 4;
  for (double g = 4; g <= 40; g += 0.001)
    if (excess_risk(law, size, 1000, 4, g) < excess_risk(law, size, 1000, 4, best)) best = g;
  ASSERT_TRUE(best > 5 && best < 39);
  EXPECT_NEAR(optimal_resolution(law, size, 1000, 4, 1, 40), best, 0.01);
}
TEST(BasisCount, ReportsTheHighestOrderThatHasATerm) {
  EXPECT_EQ(BasisCount{}.order(), 0);
  EXPECT_EQ((BasisCount{3, {0, 0}}.order()), 0);
  EXPECT_EQ((BasisCount{3, {4}}.order()), 1);
  EXPECT_EQ((BasisCount{3, {4, 2}}.order()), 2);
  EXPECT_EQ((BasisCount{3, {4, 0}}.order()), 1);
  EXPECT_EQ((BasisCount{3, {0, 2, 0}}.order()), 2);
}

TEST(LawConstants, AreUsableOnlyIfBothArePositiveAndFinite) {
  EXPECT_TRUE((LawConstants{1e-300, 1e300}.usable()));
  for (double bad : {0.0, -1.0, infinity, nan}) {
    EXPECT_FALSE((LawConstants{bad, 1}.usable()));
    EXPECT_FALSE((LawConstants{1, bad}.usable()));
  }
}

TEST(SolvePilots, AgreesWithElimination) {
  const BasisCount size{3, {8, 3}};
  for (double beta : {3.0, 4.0, 6.0}) {
    for (int upper : {2, 5, 15}) {
      const PilotPoint a{1, size(1), 0.8};
      const PilotPoint b{upper, size(upper), 0.31};
      const LawConstants law = solve_pilots(a, b, 5000, beta);
      const LawConstants expected = eliminate(a, b, 5000, beta);
      EXPECT_NEAR(law.bias_scale, expected.bias_scale, 1e-11 * expected.bias_scale);
      EXPECT_NEAR(law.variance_scale, expected.variance_scale, 1e-11 * expected.variance_scale);
    }
  }
}

TEST(SolvePilots, RecoversTheConstantsOfACurveThatFollowsTheLaw) {
  const BasisCount size{3, {10}};
  const double n = 1200;
  const auto follow = [&](int g) {
    return PilotPoint{g, size(g), 0.7 * std::pow(g, -8) + 0.02 * n / (n - size(g))};
  };
  const LawConstants law = solve_pilots(follow(1), follow(15), n, 4);
  EXPECT_NEAR(law.bias_scale, 0.7, 1e-11);
  EXPECT_NEAR(law.variance_scale, 0.02, 1e-12);
}

TEST(SolvePilots, MayGiveNegativeConstants) {
  const LawConstants rising = solve_pilots({1, 10, 1}, {10, 40, 9}, 100, 4);
  EXPECT_LT(rising.bias_scale, 0);
  EXPECT_GT(rising.variance_scale, 0);
  const LawConstants falling = solve_pilots({1, 10, 1}, {2, 11, 1e-6}, 100, 4);
  EXPECT_GT(falling.bias_scale, 0);
  EXPECT_LT(falling.variance_scale, 0);
}

TEST(SolvePilots, GivesZerosWhereTheDeterminantVanishes) {
  ASSERT_EQ(std::pow(1999999999.0, -80.0), 0);
  const LawConstants law = solve_pilots({1999999999, 0, 3}, {2000000000, 0, 5}, 100, 40);
  EXPECT_EQ(law.bias_scale, 0);
  EXPECT_EQ(law.variance_scale, 0);
}

TEST(SolvePilots, RecoversTheConstantsBetweenFinePilotsAsWell) {
  const BasisCount size{3, {10}};
  const double n = 12000;
  for (const auto& [coarse, fine] : {std::pair{4, 16}, {16, 64}, {32, 64}, {500, 1000}}) {
    const auto follow = [&](int g) {
      return PilotPoint{g, size(g), std::pow(g / 0.5 / coarse, -8) + 0.02 * n / (n - size(g))};
    };
    const LawConstants law = solve_pilots(follow(coarse), follow(fine), n, 4);
    EXPECT_NEAR(law.bias_scale / std::pow(0.5 * coarse, 8), 1, 1e-10) << coarse << ", " << fine;
    EXPECT_NEAR(law.variance_scale, 0.02, 1e-12) << coarse << ", " << fine;
  }
}

TEST(SolvePilots, ShiftsTheDeterminantByOneMillionthOfAMillionthOfTheBias) {
  // Equal pilots: the determinant is nothing but the shift.
  const LawConstants law = solve_pilots({3, 20, 1.5}, {3, 20, 1.0}, 100, 4);
  EXPECT_NEAR(law.bias_scale * std::pow(3.0, -8), 0.5 * 1.25 / 1e-12, 1e-3 / 1e-12);
}

TEST(SolvePilots, KeepsTheLeverageFiniteWhereTheBasisFillsTheRows) {
  // n - p is floored at 1, so l = n.
  const PilotPoint a{1, 4, 1.0};
  const PilotPoint b{2, 150, 2.0};
  const LawConstants law = solve_pilots(a, b, 100, 4);
  const double phi_b = std::pow(2.0, -8);
  const double l_a = 100.0 / 96;
  const double determinant = 100 - phi_b * l_a;
  EXPECT_NEAR(law.bias_scale, (100 - 2 * l_a) / determinant, 1e-12);
  EXPECT_NEAR(law.variance_scale, (2 - phi_b) / determinant, 1e-12);
}

TEST(SolvePilots, GivesZerosForALooThatIsNotFinite) {
  for (const auto& [loo_a, loo_b] : std::vector<std::pair<double, double>>{
           {infinity, 1}, {1, infinity}, {infinity, infinity}, {nan, 1}, {1, nan}}) {
    const LawConstants law = solve_pilots({1, 10, loo_a}, {5, 40, loo_b}, 200, 4);
    EXPECT_EQ(law.bias_scale, 0);
    EXPECT_EQ(law.variance_scale, 0);
  }
}

TEST(PilotConditionNumber, IsTheRatioOfTheSingularValues) {
  const BasisCount size{3, {6}};
  const double n = 400;
  for (int upper : {2, 7, 20}) {
    const double m[2][2] = {{1, n / (n - size(1))}, {std::pow(upper, -8), n / (n - size(upper))}};
    // Eigenvalues of M'M from its characteristic polynomial.
    const double trace = m[0][0] * m[0][0] + m[0][1] * m[0][1] + m[1][0] * m[1][0] + m[1][1] * m[1][1];
    const double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const double root = std::sqrt(trace * trace - 4 * determinant * determinant);
    const double expected = std::sqrt((trace + root) / (trace - root));
    const double condition = pilot_condition_number({1, size(1), 0}, {upper, size(upper), 0}, n, 4);
    EXPECT_NEAR(condition, expected, 1e-12 * expected);
  }
}

TEST(PilotConditionNumber, GrowsAsThePilotsMeetAndIsInfiniteWhereTheyDo) {
  EXPECT_GT(pilot_condition_number({18, 100, 0}, {19, 100, 0}, 1000, 4), 1e8);
  EXPECT_EQ(pilot_condition_number({3, 20, 0}, {3, 20, 0}, 100, 4), infinity);
}

TEST(OptimalResolution, LiesWhereTheSlopeOfTheRiskChangesSign) {
  for (const Case& c : interior_cases()) {
    const double beta = c.size.degree + 1;
    const double g = optimal_resolution(c.law, c.size, c.n, beta, 1, 200);
    ASSERT_GT(g, 1);
    ASSERT_LT(g, 200);
    EXPECT_LT(risk_slope(c.law, c.size, c.n, beta, g * (1 - 1e-12)), 0);
    EXPECT_GT(risk_slope(c.law, c.size, c.n, beta, g * (1 + 1e-12)), 0);
  }
}

TEST(OptimalResolution, MinimisesTheRiskOnAFineGrid) {
  for (const Case& c : interior_cases()) {
    const double beta = c.size.degree + 1;
    const double expected = minimise_on_grids(c.law, c.size, c.n, beta, 1, 50);
    EXPECT_NEAR(optimal_resolution(c.law, c.size, c.n, beta, 1, 50), expected, 1e-5 * expected);
  }
}

TEST(OptimalResolution, IsTheEndOfTheIntervalItLiesBeyond) {
  const BasisCount size{3, {10}};
  EXPECT_EQ(optimal_resolution({1e-9, 1}, size, 1000, 4, 1, 20), 1);
  EXPECT_EQ(optimal_resolution({1e9, 1e-9}, size, 1000, 4, 1, 20), 20);
  EXPECT_EQ(optimal_resolution({1, 1}, size, 1000, 4, 1, 1), 1);
  // No term grows with the resolution: more of it costs nothing.
  EXPECT_EQ(optimal_resolution({1, 1}, BasisCount{}, 1000, 4, 1, 20), 20);
}

TEST(OptimalResolution, RefusesConstantsAndIntervalsWithoutAnOptimum) {
  const BasisCount size{3, {10}};
  EXPECT_THROW(optimal_resolution({-1, 1}, size, 1000, 4, 1, 20), Error);
  EXPECT_THROW(optimal_resolution({1, 0}, size, 1000, 4, 1, 20), Error);
  EXPECT_THROW(optimal_resolution({1, nan}, size, 1000, 4, 1, 20), Error);
  EXPECT_THROW(optimal_resolution({1, 1}, size, 1000, 4, 0, 20), Error);
  EXPECT_THROW(optimal_resolution({1, 1}, size, 1000, 4, 3, 2), Error);
}

TEST(DominantResolution, IsTheExactOptimumOfAnAdditiveModel) {
  const LawConstants law{2, 0.05};
  const BasisCount size{3, {15}};
  const double g = dominant_resolution(law, size, 3000, 4);
  EXPECT_NEAR(g, optimal_resolution(law, size, 3000, 4, 1, 100), 1e-12 * g);
}

TEST(DominantResolution, ApproachesTheRootAsTheResolutionGrows) {
  const BasisCount size{3, {6, 3}};
  double previous = infinity;
  for (double scale : {1e4, 1e12, 1e24, 1e48}) {
    const LawConstants law{scale, 1};
    const double exact = optimal_resolution(law, size, 1000, 4, 1, 1e12);
    const double gap = std::abs(dominant_resolution(law, size, 1000, 4) / exact - 1);
    EXPECT_LT(gap, previous);
    previous = gap;
  }
  EXPECT_LT(previous, 1e-3);
}

TEST(DominantResolution, DependsOnTheRowsThroughTheEffectiveDensityAlone) {
  const LawConstants law{1, 0.1};
  EXPECT_DOUBLE_EQ(dominant_resolution(law, {3, {40}}, 4800, 4),
                   dominant_resolution(law, {3, {80}}, 9600, 4));
  // The exponents of table 1: 1/9 and 1/10 for cubic splines.
  const double additive =
      dominant_resolution(law, {3, {40}}, 48000, 4) / dominant_resolution(law, {3, {40}}, 4800, 4);
  const double pairwise =
      dominant_resolution(law, {3, {40, 9}}, 48000, 4) / dominant_resolution(law, {3, {40, 9}}, 4800, 4);
  EXPECT_NEAR(additive, std::pow(10, 1.0 / 9), 1e-12);
  EXPECT_NEAR(pairwise, std::pow(10, 1.0 / 10), 1e-12);
}

TEST(DominantResolution, RefusesABasisWithoutTerms) {
  EXPECT_THROW(dominant_resolution({1, 1}, BasisCount{}, 100, 4), Error);
  EXPECT_THROW(dominant_resolution({0, 1}, {3, {2}}, 100, 4), Error);
}

TEST(EffectiveDensity, DividesTheRowsByTheComponentsOfTheHighestOrder) {
  EXPECT_EQ(effective_density(700, {3, {20}}), 35);
  EXPECT_EQ(effective_density(700, {3, {20, 10}}), 70);
  EXPECT_EQ(effective_density(700, {3, {20, 0}}), 35);
  EXPECT_EQ(effective_density(700, BasisCount{}), 700);
}

TEST(Forecast, FindsTheBestResolutionForMoreRowsWithoutAnUpperEnd) {
  const LawConstants law{1e6, 1e-3};
  const BasisCount size{3, {10, 4}};
  for (double factor : {0.5, 1.0, 10.0, 1e6}) {
    const DataForecast expected = forecast(law, size, 2000, 4, factor);
    EXPECT_EQ(expected.factor, factor);
    EXPECT_NEAR(expected.resolution, optimal_resolution(law, size, 2000 * factor, 4, 1, 1e9),
                1e-12 * expected.resolution);
    EXPECT_LT(risk_slope(law, size, 2000 * factor, 4, expected.resolution * (1 - 1e-10)), 0);
    EXPECT_GT(risk_slope(law, size, 2000 * factor, 4, expected.resolution * (1 + 1e-10)), 0);
    EXPECT_EQ(expected.excess, excess_risk(law, size, 2000 * factor, 4, expected.resolution));
  }
}

TEST(Forecast, ExpectsLessErrorOfMoreRowsAtThePapersRate) {
  const LawConstants law{1, 0.1};
  const BasisCount size{3, {20}};
  const DataForecast far = forecast(law, size, 1e30, 4, 1);
  const DataForecast farther = forecast(law, size, 1e30, 4, 10);
  EXPECT_GT(farther.resolution, far.resolution);
  EXPECT_NEAR(std::log10(far.excess / farther.excess), 8.0 / 9, 1e-3);
}

TEST(Forecast, StaysAtTheCoarsestResolutionWhereBiasIsNegligible) {
  EXPECT_EQ(forecast({1e-12, 1}, {3, {5}}, 100, 4, 2).resolution, 1);
}

TEST(Forecast, RefusesWhatHasNoAnswer) {
  EXPECT_THROW(forecast({0, 1}, {3, {5}}, 100, 4, 2), Error);
  EXPECT_THROW(forecast({1, 1}, BasisCount{}, 100, 4, 2), Error);
  for (double factor : {0.0, -1.0, infinity, nan})
    EXPECT_THROW(forecast({1, 1}, {3, {5}}, 100, 4, factor), Error);
}

TEST(OptimalResolution, AgreesWithThePublishedSelectorOnEveryFixture) {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KORE_TEST_DATA "/fixtures")) {
    const auto fixture = nlohmann::json::parse(std::ifstream(entry.path()));
    const double n = fixture["n"];
    for (const std::string family : {"additive", "pairwise"}) {
      if (!fixture.contains("select_" + family)) continue;
      const auto& selected = fixture["select_" + family];
      const LawConstants law{selected["A_hat"], selected["tau_hat"]};
      if (!law.usable()) continue;
      BasisCount size{fixture["degree"], {fixture["d"]}};
      if (family == "pairwise") size.terms.push_back(fixture["pairs"].size());
      const double published = selected["G_dagger"];
      EXPECT_NEAR(optimal_resolution(law, size, n, size.degree + 1, 1, 20), published, 1e-5 * published)
          << entry.path() << " " << family;
      ++compared;
    }
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace kore
