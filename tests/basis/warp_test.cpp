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
  const Warp straight = distribution_warp(sample, {}, 0.0);
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

TEST(Warp, IsTheLineThroughTheNodesAroundAPoint) {
  test::Uniform uniform(302);
  for (const std::size_t count : {2U, 3U, 4U, 5U, 9U, 64U, 65U, 100U}) {
    Warp warp;
    for (std::size_t i = 0; i < count; ++i) {
      warp.nodes.push_back((i == 0 ? -3 : warp.nodes.back()) + std::pow(uniform(), 6) + 1e-9);
      warp.values.push_back((i == 0 ? 0 : warp.values.back()) + uniform() + 1e-9);
    }
    std::vector<double> points = warp.nodes;
    for (int i = 0; i < 200; ++i)
      points.push_back(uniform.between(warp.nodes.front() - 1, warp.nodes.back() + 1));
    for (const double x : points) {
      std::size_t right = 1;
      while (right + 1 < count && warp.nodes[right] <= x) ++right;
      const double share = (x - warp.nodes[right - 1]) / (warp.nodes[right] - warp.nodes[right - 1]);
      const double line = warp.values[right - 1] + share * (warp.values[right] - warp.values[right - 1]);
      EXPECT_NEAR(warp(x), line, 1e-15 * std::max(1.0, std::abs(line))) << count << " nodes, at " << x;
    }
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(warp(warp.nodes[i]), warp.values[i]);
  }
}

TEST(Warp, MapsManyPointsAsItMapsOne) {
  const Warp warp = distribution_warp(sorted_sample(300, 5));
  test::Uniform uniform(303);
  std::vector<double> x;
  for (int i = 0; i < 75; ++i) x.push_back(uniform.between(-0.5, 1.5));
  for (const std::ptrdiff_t stride : {1, 3})
    for (const std::size_t count : {0U, 1U, 7U, 8U, 25U}) {
      std::vector<double> mapped(count);
      warp.map(x.data(), stride, mapped);
      for (std::size_t r = 0; r < count; ++r)
        EXPECT_EQ(mapped[r], warp(x[r * static_cast<std::size_t>(stride)]));
      Warp().map(x.data(), stride, mapped);
      for (std::size_t r = 0; r < count; ++r) EXPECT_EQ(mapped[r], x[r * static_cast<std::size_t>(stride)]);
    }
}

TEST(Warp, DoesNotCarryAPointBeyondItsLastValue) {
  test::Uniform uniform(304);
  for (int i = 0; i < 2000; ++i) {
    const double first = uniform.between(-10, 10);
    const double last = first + uniform();
    const Warp warp{{first, last}, {uniform() - 1, uniform()}};
    EXPECT_EQ(warp(first), warp.values[0]);
    EXPECT_EQ(warp(last), warp.values[1]);
    EXPECT_GE(warp(std::nextafter(last, last + 1)), warp.values[1]);
    EXPECT_LE(warp(std::nextafter(last, first)), warp.values[1]);
  }
}

TEST(Warp, OfAConstantIsTheIdentity) {
  EXPECT_EQ(distribution_warp(std::vector<double>{2, 2, 2})(7), 7);
  EXPECT_EQ(distribution_warp({})(7), 7);
}

}  // namespace
}  // namespace kore
