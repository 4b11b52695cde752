#include "experiments/statistics/ranks.hpp"

#include <gtest/gtest.h>

#include "statistics/vectors.hpp"

namespace kore::experiments {
namespace {

using Values = std::vector<double>;

TEST(Ranks, BeginWithOneForTheSmallest) {
  EXPECT_EQ(average_ranks(Values{30, 10, 20}), (Values{3, 1, 2}));
  EXPECT_EQ(average_ranks(Values{}), Values{});
}

TEST(Ranks, AreSharedByEqualValues) {
  EXPECT_EQ(average_ranks(Values{5, 1, 5, 5}), (Values{3, 1, 3, 3})) << "places 2, 3 and 4";
  EXPECT_EQ(tie_sum(Values{5, 1, 5, 5}), 24) << "3^3 - 3";
  EXPECT_EQ(tie_sum(Values{1, 1, 2, 2, 3}), 12) << "twice 2^3 - 2";
  EXPECT_EQ(tie_sum(Values{1, 2, 3}), 0);
}

TEST(Ranks, AreThoseOfSciPy) {
  for (const auto& vector : scipy_vectors().at("ranks"))
    EXPECT_EQ(average_ranks(vector.at("values").get<Values>()), vector.at("ranks").get<Values>());
}

TEST(Ranks, OfARowKnowNothingOfTheOtherRows) {
  const Grid ranks = rank_rows(to_grid({{1, 2, 3}, {100, 0, 100}}));
  EXPECT_EQ(ranks.values, (Values{1, 2, 3, 2.5, 1, 2.5}));
  EXPECT_EQ(column_means(ranks), (Values{1.75, 1.5, 2.75}));
}

TEST(BootstrapMeans, HaveNoWidthWhereAllRowsAreEqual) {
  for (const BootstrapMean& mean : bootstrap_means(to_grid({{1, 2}, {1, 2}, {1, 2}}), 50, 1)) {
    EXPECT_EQ(mean.lower, mean.upper);
    EXPECT_EQ(mean.mean, mean.upper);
  }
}

TEST(BootstrapMeans, DrawRowsAsNumPyDoes) {
  // default_rng(2026).integers(0, 3, 3) gives the rows of the first resample; its mean is all there is.
  const auto first = bootstrap_means(to_grid({{0.0}, {10.0}, {200.0}}), 1, 2026);
  EXPECT_DOUBLE_EQ(first[0].mean, 66.66666666666667);
}

}  // namespace
}  // namespace kore::experiments
