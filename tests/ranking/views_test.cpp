#include "experiments/ranking/views.hpp"

#include <gtest/gtest.h>

#include "ranking/made_up_cells.hpp"

namespace kore::experiments {
namespace {

using Names = std::vector<std::string>;

Ranking small_ranking() { return make_ranking(made_up_cells(small_study())); }

TEST(RankGroups, HoldMethodsCloserThanTheDifference) {
  // Mean ranks 1, 2, 3.
  EXPECT_TRUE(rank_groups(small_ranking(), 1).empty()) << "exactly the difference is told apart";
  const std::vector<RankGroup> pairs = rank_groups(small_ranking(), 1.5);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].methods, (Names{"kore", "xgboost"}));
  EXPECT_EQ(pairs[1].methods, (Names{"xgboost", "linear"}));
  const std::vector<RankGroup> all = rank_groups(small_ranking(), 5);
  ASSERT_EQ(all.size(), 1U) << "no group is part of another";
  EXPECT_EQ(all[0].lowest, 1);
  EXPECT_EQ(all[0].highest, 3);
}

TEST(LiftPairs, CountWinsAndTies) {
  const LiftWins wins = count_wins({{"a", 0.5, 0.2}, {"b", 0.1, 0.2}, {"c", 0.3, 0.3 + 1e-12}, {"d", 0, 0}});
  EXPECT_EQ(wins.reference, 1U);
  EXPECT_EQ(wins.other, 1U);
  EXPECT_EQ(wins.tied, 2U);
}

TEST(LiftPairs, HaveARatioWhereALiftIsZero) {
  EXPECT_DOUBLE_EQ((LiftPair{"a", 0.5, 0}).ratio(), 500);
  EXPECT_DOUBLE_EQ((LiftPair{"a", 0, 0}).ratio(), 1);
  EXPECT_TRUE(lift_pairs(small_ranking(), "nobody").empty());
}

TEST(SizeClasses, AreCutAtQuartilesAndRankWithin) {
  // Sizes 10, 20, 30: quartiles 15, 20, 25, so that no set lies between 20 and 25.
  const std::vector<SizeClass> classes = ranks_by_size(small_ranking(), {{"a", 10}, {"b", 20}, {"c", 30}});
  ASSERT_EQ(classes.size(), 3U);
  EXPECT_EQ(classes[1].up_to, 20);
  EXPECT_EQ(classes[1].datasets, 1U) << "a size on the cut belongs below";
  for (const SizeClass& size : classes) EXPECT_EQ(size.mean_ranks, (std::vector<double>{1, 3, 2}));
}

TEST(SizeClasses, AreFewerWhereSizesAreEqual) {
  const Ranking ranking = small_ranking();
  EXPECT_EQ(ranks_by_size(ranking, training_rows(ranking)).size(), 1U);
}

TEST(NearestRivals, ComeByRankWithoutTheReference) {
  EXPECT_EQ(nearest_rivals(small_ranking(), 4), (Names{"xgboost", "linear"}));
}

}  // namespace
}  // namespace kore::experiments
