#include "report/bins.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace kore::report {
namespace {

TEST(Bins, EveryValueBetweenTheEdgesHasOnePlace) {
  const std::vector<double> edges{0, 1, 3};
  EXPECT_EQ(place_in(edges, 0), 0U);
  EXPECT_EQ(place_in(edges, 1), 1U) << "a lower end belongs to its interval";
  EXPECT_EQ(place_in(edges, 3), 1U) << "and the last upper end to the last";
  EXPECT_FALSE(place_in(edges, -0.1));
  EXPECT_FALSE(place_in(edges, 3.1));
}

TEST(Bins, QuantilesPutAsManyValuesIntoEach) {
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i);
  const std::vector<double> edges = quantile_edges(values, 10);
  ASSERT_EQ(edges.size(), 11U);
  std::vector<int> counts(10);
  for (const double v : values) ++counts[*place_in(edges, v)];
  for (const int n : counts) EXPECT_NEAR(n, 100, 2);
}

TEST(Bins, FewDifferentValuesHaveABinEach) {
  EXPECT_EQ(quantile_edges({0, 0, 0, 0, 0, 0, 1}, 5), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(quantile_edges({2, 2, 2}, 5).size(), 2U) << "around the only value";
}

TEST(Bins, OneFarValueDoesNotPressTheOthersTogether) {
  std::vector<double> values(1000, 0.0);
  std::iota(values.begin(), values.end(), 0.0);
  values.back() = 1e9;
  EXPECT_LT(spread_edges(values, 10).back(), 1100);
}

TEST(Histogram, CountsValuesLevelsAndWhatIsNoLevel) {
  Histogram numbers{even_edges(0, 10, 5), std::vector<double>(5)};
  for (const double v : {0.0, 1.9, 2.0, 10.0, 11.0}) count(numbers, v, 1);
  EXPECT_EQ(numbers.counts, (std::vector<double>{2, 1, 0, 0, 1}));
  Histogram levels{{}, std::vector<double>(3)};
  for (const double v : {0.0, 1.0, 1.0, 7.0}) count(levels, v, 2);
  EXPECT_EQ(levels.counts, (std::vector<double>{2, 4, 2})) << "a level nobody has seen is the last";
}

TEST(ErrorBins, HaveMeanDeviationAndCoverage) {
  ErrorBins bins = ErrorBins::between({0, 1, 2});
  for (const double error : {1.0, 3.0}) add_error(bins, error / 4, error, 1, error < 2);
  add_error(bins, 99, -1, 4, true);
  const std::vector<ErrorBin> done = finished(bins);
  EXPECT_DOUBLE_EQ(done[0].at, 0.5) << "the mean of 1/4 and 3/4";
  EXPECT_DOUBLE_EQ(done[0].mean, 2);
  EXPECT_DOUBLE_EQ(done[0].deviation, 1);
  EXPECT_DOUBLE_EQ(done[0].covered, 0.5);
  EXPECT_DOUBLE_EQ(done[1].mean, -1) << "what lies beyond belongs to the last";
  EXPECT_DOUBLE_EQ(done[1].weight, 4);
}

TEST(ThinnedNumbers, KeepTheirDistribution) {
  ThinnedNumbers numbers;
  constexpr int many = 1'500'000;
  for (int i = 0; i < many; ++i) numbers.add(i);
  const std::vector<double> kept = numbers.take_sorted();
  EXPECT_LT(kept.size(), 1U << 20);
  EXPECT_NEAR(kept[kept.size() / 2], many / 2.0, many * 0.01);
  const std::vector<double> few = evenly_spaced(kept, 11);
  ASSERT_EQ(few.size(), 11U);
  EXPECT_EQ(few.front(), kept.front());
  EXPECT_EQ(few.back(), kept.back());
}

}  // namespace
}  // namespace kore::report
