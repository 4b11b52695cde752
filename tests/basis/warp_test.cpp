// Maps of features that let equally spaced knots follow the data.
#include "basis/warp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

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

TEST(Warp, IsNotStretchedByAFewWildValues) {
  std::vector<double> sample = sorted_sample(1000, 1);
  const Warp clean = distribution_warp(sample);
  for (const double wild : {10.0, 1e3, 1e9}) {
    sample.push_back(wild);
    const Warp warp = distribution_warp(sample);
    EXPECT_GT(warp(0.99), 0.96) << wild << ": nearly all knots lie where the rows lie";
    for (const double x : {0.1, 0.4, 0.8}) EXPECT_NEAR(warp(x), clean(x), 0.03) << wild;
    EXPECT_DOUBLE_EQ(warp(wild), 1);
  }
}

TEST(Warp, DrawsInBothTails) {
  std::vector<double> sample = sorted_sample(1000, 1);
  sample.insert(sample.begin(), {-500, -40});
  sample.push_back(700);
  const Warp warp = distribution_warp(sample);
  EXPECT_EQ(warp(-500), 0);
  EXPECT_LT(warp(0.001), 0.03);
  EXPECT_GT(warp(0.999), 0.97);
  EXPECT_DOUBLE_EQ(warp(700), 1);
  for (std::size_t i = 1; i < warp.values.size(); ++i) EXPECT_GT(warp.values[i], warp.values[i - 1]);
}

TEST(Warp, OfATailWithManyRowsKeepsARoomForIt) {
  const std::vector<double> sample = sorted_sample(5000, 1);
  std::vector<double> heavy;  // one in x has a tail of a hundredth of the rows beyond 100
  for (const double x : sample) heavy.push_back(1 / (1 - x * 0.9999));
  const Warp warp = distribution_warp(heavy);
  EXPECT_LT(warp(heavy[4900]), 0.97);
}

TEST(Body, OfANormalOrAUniformDistributionIsAllOfIt) {
  test::Uniform uniform(303);
  for (const std::size_t count : {30U, 300U, 5000U}) {
    std::vector<double> normal;
    std::vector<double> even;
    for (std::size_t i = 0; i < count; ++i) {
      normal.push_back(std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()));
      even.push_back(uniform());
    }
    for (std::vector<double>& sample : {std::ref(normal), std::ref(even)}) {
      std::ranges::sort(sample);
      const Body body = body_of(sample);
      EXPECT_EQ(body.lowest, sample.front()) << count;
      EXPECT_EQ(body.highest, sample.back()) << count;
    }
  }
}

TEST(Body, LeavesOutAWildValueAlsoWhereItCountsAsNoRow) {
  std::vector<double> sample = sorted_sample(200, 1);
  std::vector<double> weights(sample.size(), 1.0);
  sample.push_back(40);
  weights.push_back(0);  // the end of a range that a sample missed
  const Body body = body_of(sample, weights);
  EXPECT_EQ(body.highest, sample[199]);
  EXPECT_EQ(body.lowest, sample[0]);
}

TEST(Body, OfValuesThatAreNearlyAllEqualIsTheirRange) {
  std::vector<double> sample(500, 0.0);
  sample.push_back(3);
  const Body body = body_of(sample);
  EXPECT_EQ(body.lowest, 0);
  EXPECT_EQ(body.highest, 3);
}

}  // namespace
}  // namespace kore
