#include "experiments/averages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace kore::experiments {
namespace {

using Values = std::vector<double>;

TEST(Averages, FollowTheirDefinitions) {
  EXPECT_DOUBLE_EQ(mean(Values{1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(deviation(Values{1, 2, 6}), std::sqrt(7.0)) << "n - 1 in the denominator: (4 + 1 + 9) / 2";
  EXPECT_DOUBLE_EQ(geometric_mean(Values{1, 8, 27}), 6);
  EXPECT_DOUBLE_EQ(median(Values{4, 1, 3, 2}), 2.5);
}

TEST(Averages, InterpolateQuantilesBetweenOrderStatistics) {
  const Values values{40, 10, 30, 20};  // places 0, 1/3, 2/3, 1
  EXPECT_DOUBLE_EQ(quantile(values, 0), 10);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 17.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.75), 32.5);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 40);
}

TEST(Averages, FindTheExponentOfAPowerLaw) {
  const Values x{30, 60, 120, 480};
  Values y;
  for (const double value : x) y.push_back(7 * std::pow(value, -4.0 / 9));
  EXPECT_NEAR(exponent(x, y), -4.0 / 9, 1e-14);
}

TEST(Averages, AreUndefinedOfNothing) {
  EXPECT_TRUE(std::isnan(mean(Values{})));
  EXPECT_TRUE(std::isnan(median(Values{})));
  EXPECT_TRUE(std::isnan(deviation(Values{1})));
}

}  // namespace
}  // namespace kore::experiments
