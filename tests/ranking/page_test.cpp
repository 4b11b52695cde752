#include <gtest/gtest.h>

#include "experiments/figures/ranking/charts.hpp"
#include "ranking/made_up_cells.hpp"

namespace kore::experiments {
namespace {

using report::Json;

Ranking small_ranking() { return make_ranking(made_up_cells(small_study())); }
const Json& rows(const Json& chart) { return chart["data"]["values"]; }

TEST(RankingPage, HasASectionForEveryQuestionAndASentenceForEveryPanel) {
  const report::Page page = ranking_page(small_ranking());
  std::vector<std::string> ids;
  for (const report::Section& section : page.sections) {
    ids.push_back(section.id);
    for (const report::Block& block : section.blocks)
      if (const auto* figure = std::get_if<report::Figure>(&block)) {
        for (const report::Panel& panel : figure->panels) EXPECT_FALSE(panel.description.empty());
      }
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"ranks", "tests", "cost", "size", "datasets", "failures"}))
      << "no selectors were run";
  EXPECT_PRED2(says, report::to_html(page), "3 methods on 3 data sets");
}

TEST(RankingPage, ShowsSelectorsWhereTheyWereRunAndNamesWhatIsNotRanked) {
  std::vector<MadeUpCell> cells = small_study();
  for (const std::string dataset : {"a", "b", "c"})
    for (const int seed : {0, 1}) cells.push_back({dataset, "gcv_spline", seed, 0.6, 1});
  cells.push_back({"a", "half", 0, 0.99});
  const report::Page page = ranking_page(make_ranking(made_up_cells(cells)));
  EXPECT_EQ(page.sections[5].id, "selectors");
  EXPECT_PRED2(says, report::to_html(page), "cells are missing: half");
}

TEST(RankChart, DrawsTheCriticalDifferenceFromTheBest) {
  const Json chart = rank_chart(small_ranking(), 1.25);
  EXPECT_EQ(chart["layer"][0]["encoding"]["x"]["datum"], 2.25);
  EXPECT_EQ(rows(chart)[0]["method"], "kore");
  EXPECT_EQ(rows(chart)[0]["who"], "reference");
}

TEST(SignificanceChart, CutsTheSmallestPValues) {
  const Json chart = significance_chart(small_ranking());
  EXPECT_EQ(rows(chart).size(), 2U);
  for (const Json& row : rows(chart)) {
    EXPECT_GE(row["power"], 0);
    EXPECT_LE(row["power"], 30);
  }
}

TEST(AlphaChart, CountsEveryMethodOnceAtEveryWeight) {
  int counted = 0;
  const Json chart = alpha_chart(small_ranking());
  for (const Json& row : rows(chart)) counted += row["count"].get<int>();
  EXPECT_EQ(counted, 2 * 5);
}

TEST(ParetoChart, HasTheReferenceWhereItsTimeIsMeasurable) {
  std::vector<MadeUpCell> cells = small_study();
  for (MadeUpCell& cell : cells) cell.seconds += 1;
  const Ranking ranking = make_ranking(made_up_cells(cells));
  const Json chart = pareto_chart(ranking, pareto_table(ranking, 1000));
  for (const Json& row : rows(chart)) {
    if (row["method"] == "kore") {
      EXPECT_EQ(row["time"], 1);
    }
    if (row["method"] == "xgboost") {
      EXPECT_EQ(row["time"], 4);
      EXPECT_DOUBLE_EQ(row["error"].get<double>(), 0.5);
    }
  }
  EXPECT_EQ(rows(chart).size(), 3U);
}

TEST(DuelChart, HasAPointForEveryDataSet) {
  EXPECT_EQ(rows(duel_chart(small_ranking(), "xgboost")).size(), 3U);
}

TEST(MemoryChart, GoesFromTheMedianToTheLargestCell) {
  Table table = made_up_cells(small_study());
  table.rows[0][table.position("rss_peak_mb")] = "2048.0";
  const Json chart = memory_chart(make_ranking(table));
  const Json& last = rows(chart).back();
  EXPECT_EQ(last["method"], "linear") << "sorted by the largest";
  EXPECT_EQ(last["largest"], 2);
  EXPECT_LT(last["median"], 0.1);
}

}  // namespace
}  // namespace kore::experiments
