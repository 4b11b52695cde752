#include "experiments/statistics/tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/vectors.hpp"
#include "support/refusal.hpp"

namespace kore::experiments {
namespace {

using Values = std::vector<double>;

TEST(Friedman, OfThreeMethodsInTheSameOrderEverywhere) {
  // Mean ranks 1, 2, 3 on four rows: 12 / (3*4*4) * (16 + 64 + 144) - 3*4*4 = 8, and the tail of chi-square
  // with two degrees of freedom is exp(-x/2).
  const TestResult test = friedman(to_grid({{1, 2, 3}, {10, 20, 30}, {0, 5, 6}, {-3, -2, -1}}));
  EXPECT_NEAR(test.statistic, 8, 1e-12);
  EXPECT_NEAR(test.p, std::exp(-4.0), 1e-14);
}

TEST(Friedman, OfTiesGrowsByTheirCorrection) {
  // Ranks 1.5, 1.5, 3 and 1, 2, 3: squares (2.5^2 + 3.5^2 + 6^2) = 54.5; 12/24 * 54.5 - 24 = 3.25; ties take
  // 6 of 3 * 8 * 2 = 48.
  EXPECT_NEAR(friedman(to_grid({{1, 1, 2}, {1, 2, 3}})).statistic, 3.25 / (1 - 6.0 / 48), 1e-12);
}

TEST(Friedman, SeesNothingWhereAllIsTied) { EXPECT_EQ(friedman(to_grid({{1, 1, 1}, {2, 2, 2}})).p, 1); }

TEST(Friedman, IsThatOfSciPy) {
  for (const auto& vector : scipy_vectors().at("friedman")) {
    const TestResult test = friedman(to_grid(vector.at("grid").get<std::vector<Values>>()));
    EXPECT_NEAR(test.statistic / vector.at("statistic").get<double>(), 1, 1e-12);
    EXPECT_NEAR(test.p / vector.at("p").get<double>(), 1, 1e-10);
  }
}

TEST(Friedman, RefusesTwoMethods) { EXPECT_THROW(friedman(to_grid({{1, 2}, {1, 2}})), Error); }

TEST(Wilcoxon, OfThreePositiveDifferencesIsAQuarter) {
  // Of eight signs two are as extreme: all positive, all negative.
  const TestResult test = wilcoxon(Values{0.1, 0.2, 3});
  EXPECT_EQ(test.statistic, 0);
  EXPECT_DOUBLE_EQ(test.p, 0.25);
}

TEST(Wilcoxon, CountsTheSubsetsOfRanks) {
  // Ranks 1..4, negative ones 1 and 2: sums up to 3 are {}, 1, 2, 3 and 1+2, five of sixteen, both ways.
  EXPECT_DOUBLE_EQ(wilcoxon(Values{-1, -2, 3, 4}).p, 10.0 / 16);
}

TEST(Wilcoxon, DropsZeros) {
  EXPECT_EQ(wilcoxon(Values{0, 0.1, 0, 0.2, 3, 0}).p, wilcoxon(Values{0.1, 0.2, 3}).p);
  EXPECT_EQ(wilcoxon(Values{0, 0}).p, 1);
  EXPECT_EQ(wilcoxon(Values{}).p, 1);
}

TEST(Wilcoxon, WithTiesIsNormalWithASmallerVariance) {
  // Sizes 1, 1, 2: ranks 1.5, 1.5, 3, the negative one 1.5; centre 3, variance (3*4*7 - 6/2) / 24.
  const double z = (1.5 - 3) / std::sqrt(81.0 / 24);
  EXPECT_NEAR(wilcoxon(Values{-1, 1, 2}).p, std::erfc(-z / std::sqrt(2.0)), 1e-15);
}

TEST(Wilcoxon, IsTheSameFromBothSides) {
  const Values values{0.3, -1.2, 2.2, 0.7, -0.1};
  Values other;
  for (const double value : values) other.push_back(-value);
  EXPECT_EQ(wilcoxon(values).p, wilcoxon(other).p);
}

TEST(Wilcoxon, IsThatOfSciPy) {
  for (const auto& vector : scipy_vectors().at("wilcoxon")) {
    const TestResult test = wilcoxon(vector.at("differences").get<Values>());
    EXPECT_NEAR(test.statistic, vector.at("statistic").get<double>(), 1e-9);
    EXPECT_NEAR(test.p / vector.at("p").get<double>(), 1, 1e-10);
  }
}

TEST(Holm, MultipliesByTheHypothesesThatAreLeft) {
  // 0.01 * 4; 0.02 * 3; 0.04 * 2; 0.9 * 1.
  const Values adjusted = holm(Values{0.04, 0.01, 0.9, 0.02});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.08);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.9);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.06);
}

TEST(Holm, NeverFallsAndNeverPassesOne) {
  const Values adjusted = holm(Values{0.02, 0.021, 0.6, 0.7});
  EXPECT_DOUBLE_EQ(adjusted[1], 0.08) << "3 * 0.021 is less than the one before";
  EXPECT_EQ(adjusted[2], 1);
  EXPECT_EQ(adjusted[3], 1);
}

}  // namespace
}  // namespace kore::experiments
