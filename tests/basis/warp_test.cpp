// Maps of features that let equally spaced knots follow the data.
#include "basis/warp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/made_up_rows.hpp"

namespace kore {
namespace {

std::vector<double> sorted_sample(std::size_t count, double power) {
  test::Uniform uniform(301);
  std::vector<double> sample;
  for (std::size_t i = 0; i < count; ++i) sample.push_back(std::pow(uniform(), power));
  std::ranges::sort(sample);
  return sample;
}

TEST(Warp, RisesFromZeroToOne) {
  for (const double power : {0.2, 1.0, 8.0}) {
    const std::vector<double> sample = sorted_sample(500, power);
    const Warp warp = distribution_warp(sample);
    EXPECT_EQ(warp(sample.front()), 0);
    EXPECT_DOUBLE_EQ(warp(sample.back()), 1);
    for (std::size_t i = 1; i < sample.size(); ++i) EXPECT_GT(warp(sample[i]), warp(sample[i - 1]));
  }
}

TEST(Warp, IsHalfTheRangeAndHalfTheDistribution) {
  const std::vector<double> sample = sorted_sample(6401, 3);
  const Warp warp = distribution_warp(sample);
  for (const std::size_t i : {100U, 1600U, 3200U, 6300U}) {
    const double along_range = (sample[i] - sample.front()) / (sample.back() - sample.front());
    const double along_rows = static_cast<double>(i + 1) / 6401;
    EXPECT_NEAR(warp(sample[i]), (along_range + along_rows) / 2, 0.01);
  }
  const Warp straight = distribution_warp(sample, 0.0);
  EXPECT_NEAR(straight(sample[3200]), (sample[3200] - sample.front()) / (sample.back() - sample.front()),
              1e-12);
}

TEST(Warp, ContinuesAsAStraightLine) {
  const Warp warp = distribution_warp(sorted_sample(200, 2));
  EXPECT_LT(warp(-1), warp(-0.5));
  EXPECT_NEAR(warp(3) - warp(2), warp(2) - warp(1), 1e-12);
}

TEST(Warp, HasAPlaceForEveryOneOfFewValues) {
  const std::vector<double> sample{0, 0, 0, 0, 0, 0, 1, 1, 5};
  const Warp warp = distribution_warp(sample);
  EXPECT_EQ(warp(0), 0);
  EXPECT_NEAR(warp(1), 0.5 * 0.2 + 0.5 * 8 / 9, 1e-12);
  EXPECT_EQ(warp(5), 1);
}

TEST(Warp, OfAConstantIsTheIdentity) {
  EXPECT_EQ(distribution_warp(std::vector<double>{2, 2, 2})(7), 7);
  EXPECT_EQ(distribution_warp({})(7), 7);
}

}  // namespace
}  // namespace kore
