#include "experiments/ranking/cells.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ranking/made_up_cells.hpp"
#include "support/refusal.hpp"

namespace kore::experiments {
namespace {

TEST(Lift, IsTheGainOverTheBaselinePerSecond) {
  EXPECT_DOUBLE_EQ(lift(0.9, 0.5, 3, 1), 0.1);
  EXPECT_DOUBLE_EQ(lift(0.9, 0.5, 3, 0.5), 0.2);
  EXPECT_DOUBLE_EQ(lift(0.9, 0.5, 3, 0), 0.4);
}

TEST(Lift, IsNeverNegativeAndABadBaselineCountsAsTheMean) {
  EXPECT_EQ(lift(0.4, 0.5, 0, 1), 0);
  EXPECT_EQ(lift(-3, -9, 0, 1), 0);
  EXPECT_DOUBLE_EQ(lift(0.25, -9, 0, 1), 0.25);
}

TEST(Lift, IsMeasuredFromTheSameSplit) {
  const auto cells = method_cells(made_up_cells(
      {{"a", "linear", 0, 0.5}, {"a", "linear", 1, 0.1}, {"a", "m", 1, 0.6}, {"a", "m", 0, 0.6}}));
  const std::vector<double> values = lifts(cells, "linear", 1);
  EXPECT_DOUBLE_EQ(values[2], 0.5);
  EXPECT_DOUBLE_EQ(values[3], 0.1);
}

TEST(Lift, NeedsTheBaselineOfEverySplit) {
  const auto cells = method_cells(made_up_cells({{"a", "linear", 0, 0.5}, {"a", "m", 1, 0.6}}));
  EXPECT_PRED2(says, test::refusal(ErrorCode::invalid_data, [&] { lifts(cells, "linear", 1); }),
               "no cell of the baseline 'linear' on 'a'");
}

TEST(Cells, StandInTheTableOnce) {
  EXPECT_PRED2(says,
               test::refusal(ErrorCode::invalid_data,
                             [&] {
                               method_cells(made_up_cells({{"a", "m", 0}, {"a", "m", 0}}));
                             }),
               "is in the table twice");
}

TEST(Cells, HaveNumbersAndTruths) {
  Table table = made_up_cells({{"a", "m", 0}});
  table.rows[0][table.position("rmse_test")] = "";
  EXPECT_PRED2(says, test::refusal(ErrorCode::invalid_data, [&] { method_cells(table); }),
               "no number in 'rmse_test'");
  table = made_up_cells({{"a", "m", 0}});
  table.rows[0][table.position("used_defaults")] = "perhaps";
  EXPECT_PRED2(says, test::refusal(ErrorCode::invalid_data, [&] { method_cells(table); }),
               "neither True nor False");
  table.rows.clear();
  EXPECT_PRED2(says, test::refusal(ErrorCode::invalid_data, [&] { method_cells(table); }), "no cells");
}

TEST(Panel, HasMediansOverSeedsInAlphabeticalOrder) {
  const auto cells = method_cells(made_up_cells(
      {{"b", "z", 0, 0, 0, 3}, {"b", "z", 1, 0, 0, 5}, {"b", "z", 2, 0, 0, 100}, {"B", "z", 0}}));
  const Panel panel = median_panel(cells, &MethodCell::rmse);
  EXPECT_EQ(panel.datasets, (std::vector<std::string>{"B", "b"}));
  EXPECT_EQ(panel.at("b", "z"), 5);
  EXPECT_TRUE(std::isnan(panel.at("b", "nobody")));
}

TEST(Panel, HasAGapWhereAMethodMissesASeedOfOthers) {
  const auto cells = method_cells(
      made_up_cells({{"a", "m", 0}, {"a", "m", 1}, {"b", "m", 0}, {"a", "n", 0}, {"b", "n", 0}}));
  const Panel panel = median_panel(cells, &MethodCell::rmse);
  EXPECT_TRUE(std::isnan(panel.at("a", "n")));
  EXPECT_EQ(incomplete_methods(panel), std::vector<std::string>{"n"});
  EXPECT_EQ(complete_part(panel).methods, std::vector<std::string>{"m"});
}

}  // namespace
}  // namespace kore::experiments
