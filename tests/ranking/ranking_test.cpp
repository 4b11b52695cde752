#include "experiments/ranking/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ranking/made_up_cells.hpp"
#include "support/refusal.hpp"

namespace kore::experiments {
namespace {

Ranking small_ranking(RankingOptions options = {}) {
  return make_ranking(made_up_cells(small_study()), options);
}

/// The row of a table with that first field.
std::size_t row_named(const Table& table, const std::string& name) {
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (table.rows[r][0] == name) return r;
  ADD_FAILURE() << "no row " << name;
  return 0;
}

TEST(Ranking, GoesByLiftPerSecond) {
  // kore: 0.2 in no time; xgboost: 0.3 in three seconds; linear: nothing.
  const Table ranks = rank_table(small_ranking());
  EXPECT_EQ(ranks.rows[0], (Row{"kore", "family of kore", "1.0", "3", "3"}));
  EXPECT_EQ(ranks.rows[2], (Row{"linear", "family of linear", "3.0", "3", "3"}));
}

TEST(Ranking, TurnsAroundWhereTimeDoesNotCount) {
  RankingOptions options;
  options.alpha = 0;
  EXPECT_EQ(rank_table(small_ranking(options)).rows[0][0], "xgboost");
}

TEST(Ranking, TestsThatMethodsDiffer) {
  // The same order on three data sets: chi-square 6 with two degrees of freedom.
  const nlohmann::json friedman = friedman_summary(small_ranking());
  EXPECT_NEAR(friedman.at("friedman_stat").get<double>(), 6, 1e-12);
  EXPECT_NEAR(friedman.at("friedman_p").get<double>(), std::exp(-3.0), 1e-14);
  EXPECT_EQ(friedman.at("mean_ranks").at("xgboost"), 2);
  EXPECT_NE(friedman.at("score_metric").get<std::string>().find("alpha=1)"), std::string::npos);
}

TEST(Ranking, LeavesOutMethodsWithAGapAndSaysSo) {
  std::vector<MadeUpCell> cells = small_study();
  cells.push_back({"a", "half", 0, 0.99});
  const Ranking ranking = make_ranking(made_up_cells(cells));
  EXPECT_EQ(ranking.dropped, std::vector<std::string>{"half"});
  EXPECT_EQ(friedman_summary(ranking).at("k_methods"), 3);
  EXPECT_EQ(against_reference(ranking, 1).back().pairs, 1U) << "compared on what both have";
}

TEST(AgainstTheReference, PairsSplitsAndAdjustsForTheNumberOfMethods) {
  // Six splits, all in favour of kore: p = 2 / 2^6 where the differences are all different, and Holm's
  // adjustment of two such is 2 p for both.
  std::vector<MadeUpCell> cells = small_study();
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i].r2 += cells[i].method == "kore" ? 1e-3 * static_cast<double>(i * i) : 0;
  const std::vector<Versus> list = against_reference(make_ranking(made_up_cells(cells)), 1);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].method, "linear");
  EXPECT_EQ(list[0].pairs, 6U);
  EXPECT_DOUBLE_EQ(list[0].p, 2.0 / 64);
  EXPECT_DOUBLE_EQ(list[0].p_holm, 4.0 / 64);
  EXPECT_EQ(list[0].direction, 0) << "not below 0.05";
}

TEST(Pareto, HasRatiosCostsAndWins) {
  const Table all = pareto_table(small_ranking(), INFINITY);
  const std::size_t row = row_named(all, "xgboost");
  EXPECT_DOUBLE_EQ(all.number(row, "gm_rmse_ratio"), 0.5);
  EXPECT_DOUBLE_EQ(all.number(row, "total_fit_time_s"), 18);
  EXPECT_EQ(all.text(row, "total_n_fits"), "18");
  EXPECT_EQ(all.text(row, "n_datasets_won"), "3");
  EXPECT_EQ(all.text(row_named(all, "kore"), "n_datasets_won"), "0");
  const Table few = pareto_table(small_ranking(), 30);
  EXPECT_EQ(few.text(row, "n_datasets_total"), "2") << "c has 35 features";
}

TEST(Thresholds, RankWithinTheDataSetsThatAreLeft) {
  const Table table = threshold_table(small_ranking());
  ASSERT_EQ(table.rows.size(), 12U);
  EXPECT_EQ(table.rows[0], (Row{"20", "kore", "2", "1.0", "2.0", "1.0"})) << "second by error, first by lift";
  EXPECT_EQ(table.text(9, "n_datasets"), "3");
}

TEST(FailureModes, NameWhereTheReferenceLoses) {
  const Table table = failure_mode_table(small_ranking());
  ASSERT_EQ(table.rows.size(), 3U);
  const std::size_t few = row_named(table, "a");
  EXPECT_DOUBLE_EQ(table.number(few, "log_ratio_vs_booster"), std::log(2.0));
  EXPECT_EQ(table.text(few, "log_ratio_vs_classical"), "") << "no criterion was run";
  EXPECT_EQ(table.text(few, "structural_explanation"), "non-additive structure favors trees");
  EXPECT_EQ(table.text(row_named(table, "c"), "structural_explanation"), "high post-one-hot dimension");
}

TEST(FailureFractions, CountCells) {
  std::vector<MadeUpCell> cells = small_study();
  cells[1].constant = true;
  const Table table = failure_fraction_table(make_ranking(made_up_cells(cells)));
  EXPECT_DOUBLE_EQ(table.number(row_named(table, "xgboost"), "used_constant_predictor_frac"), 1.0 / 6);
  EXPECT_EQ(table.text(row_named(table, "kore"), "used_constant_predictor_frac"), "0.0");
}

TEST(Summary, HasQuartilesOverSeeds) {
  const Table table = summary_table(small_ranking());
  EXPECT_EQ(table.rows.size(), 9U);
  const std::size_t row = row_named(table, "kore");
  EXPECT_DOUBLE_EQ(table.number(row, "r2_median"), 0.705);
  EXPECT_DOUBLE_EQ(table.number(row, "r2_iqr_lo"), 0.7025);
  EXPECT_EQ(table.text(row, "n_seeds"), "2");
}

TEST(Ranking, RefusesCellsWithoutItsReference) {
  RankingOptions options;
  options.reference = "nobody";
  EXPECT_PRED2(says, test::refusal(ErrorCode::invalid_data, [&] { small_ranking(options); }),
               "no cells of the method 'nobody'; it has those of linear, xgboost, kore");
  options = {};
  options.alpha = -1;
  test::refusal(ErrorCode::invalid_argument, [&] { small_ranking(options); });
}

}  // namespace
}  // namespace kore::experiments
