// The whole procedure repeated without parts of the rows.
#include "grow/referee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "grow/made_up_growth.hpp"
#include "grow/own_rows.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

std::size_t place_of(StageKind kind, double shrinkage = 1) {
  const auto all = candidates();
  const auto found = std::ranges::find_if(
      all, [&](const Candidate& c) { return c.kind == kind && c.shrinkage == shrinkage; });
  return static_cast<std::size_t>(found - all.begin());
}

TEST(Folds, DependOnTheContentsOfRowsAndNotOnTheirOrder) {
  const Rows rows = made_up_rows(103, 3, 901);
  const std::vector<std::uint64_t> units = feature_hashes(rows.view());
  const std::vector<std::size_t> folds = folds_of(units, {}, 10);
  std::vector<std::uint64_t> reversed(units.rbegin(), units.rend());
  std::vector<std::size_t> again = folds_of(reversed, {}, 10);
  std::ranges::reverse(again);
  EXPECT_EQ(folds, again);
  for (std::size_t fold = 0; fold < 10; ++fold) {
    const auto size = std::ranges::count(folds, fold);
    EXPECT_TRUE(size == 10 || size == 11) << "fold " << fold << " has " << size;
  }
}

TEST(Folds, KeepRowsOfAUnitTogether) {
  std::vector<std::uint64_t> units;
  for (std::uint64_t r = 0; r < 200; ++r) units.push_back(r % 17 * 1000003);
  const std::vector<std::size_t> folds = folds_of(units, {}, 5);
  for (std::size_t r = 17; r < units.size(); ++r) EXPECT_EQ(folds[r], folds[r - 17]);
}

TEST(Folds, PassOverRowsThatDoNotCount) {
  const Rows rows = made_up_rows(60, 2, 902);
  const std::vector<std::uint64_t> units = feature_hashes(rows.view());
  std::vector<double> weights(60, 1.0);
  for (std::size_t r = 0; r < 60; r += 3) weights[r] = 0;
  std::vector<std::uint64_t> counting;
  for (std::size_t r = 0; r < 60; ++r)
    if (weights[r] > 0) counting.push_back(units[r]);
  const std::vector<std::size_t> all = folds_of(units, weights, 5);
  const std::vector<std::size_t> own = folds_of(counting, {}, 5);
  std::size_t i = 0;
  for (std::size_t r = 0; r < 60; ++r) {
    if (weights[r] == 0) continue;
    EXPECT_EQ(all[r], own[i++]);
  }
}

TEST(FeatureHashes, PassOverFeaturesThatDoNotVary) {
  const std::vector<double> plain{1, 2, 3};
  const std::vector<double> wider{1, 2, 3, 7, 7, 7};
  EXPECT_EQ(feature_hashes(MatrixView::column_major(plain, 3, 1)),
            feature_hashes(MatrixView::column_major(wider, 3, 2)));
}

TEST(EqualRows, AreMergedIntoOneThatCountsAsOften) {
  // Rows 0, 2 and 3 are equal, and so are both zeros.
  const std::vector<double> x{1, 2, 1, 1, 0.0, -0.0};
  const std::vector<double> y{1, 5, 3, 8, 2, 2};
  const std::vector<double> weights{1, 1, 2, 1, 1, 1};
  const RowBlock block{MatrixView::column_major(x, 6, 1), y, weights};
  const MergedRows merged = merge_equal_rows(block, first_equal_rows(block));
  ASSERT_EQ(merged.rows.block.rows(), 3U);
  EXPECT_EQ(merged.merged_into, (std::vector<std::size_t>{0, 1, 0, 0, 2, 2}));
  EXPECT_DOUBLE_EQ(merged.rows.weights[0], 4);
  EXPECT_DOUBLE_EQ(merged.rows.y[0], (1 + 2 * 3 + 8) / 4.0);
  EXPECT_DOUBLE_EQ(merged.rows.y[2], 2);
  const double mean = 15 / 4.0;
  EXPECT_NEAR(merged.within_squares,
              std::pow(1 - mean, 2) + 2 * std::pow(3 - mean, 2) + std::pow(8 - mean, 2), 1e-12);
}

TEST(EqualRows, StandForThemselvesWhereFeaturesTakeFewValues) {
  std::vector<double> x;
  std::vector<double> y;
  for (int r = 0; r < 30; ++r) {
    x.push_back(r % 3);
    y.push_back(r);
  }
  const RowBlock block{MatrixView::column_major(x, 30, 1), y, {}};
  EXPECT_FALSE(equal_rows_are_exceptions(block, first_equal_rows(block)));
  const std::vector<std::uint64_t> units = units_of(block);
  EXPECT_EQ(std::set<std::uint64_t>(units.begin(), units.end()).size(), 30U);
  // Given ten times, with the same targets, they are copies.
  for (int r = 0; r < 30; ++r) y[static_cast<std::size_t>(r)] = r % 3;
  EXPECT_TRUE(equal_rows_are_exceptions(block, first_equal_rows(block)));
}

TEST(Groups, AreTheUnitsWhateverTheFeatures) {
  Rows rows = made_up_rows(60, 2, 907);
  for (std::size_t r = 0; r < 60; ++r) rows.groups.push_back(static_cast<double>(r * 7 % 11));
  rows.groups[0] = -0.0;  // the same group as zero
  const std::vector<std::uint64_t> units = units_of(rows.block());
  for (std::size_t a = 0; a < 60; ++a)
    for (std::size_t b = 0; b < 60; ++b) EXPECT_EQ(units[a] == units[b], rows.groups[a] == rows.groups[b]);
  EXPECT_EQ(group_count(rows.block()), 11U);
  // A group whose rows do not count is not there.
  for (std::size_t r = 0; r < 60; ++r) rows.weights.push_back(rows.groups[r] == 3 ? 0 : 1);
  EXPECT_EQ(group_count(rows.block()), 10U);
  EXPECT_EQ(group_count(made_up_rows(5, 1, 908).block()), 0U);
}

TEST(Groups, KeepEqualRowsOfOthersApart) {
  const std::vector<double> x{1, 1, 1, 1, 2};
  const std::vector<double> y{4, 4, 4, 4, 5};
  const std::vector<double> groups{8, 9, 8, 9, 9};
  const RowBlock block{MatrixView::column_major(x, 5, 1), y, {}, groups};
  EXPECT_EQ(first_equal_rows(block), (std::vector<std::size_t>{0, 1, 0, 1, 4}));
  const MergedRows merged = merge_equal_rows(block, first_equal_rows(block));
  EXPECT_EQ(merged.rows.groups, (std::vector<double>{8, 9, 9}));
  EXPECT_EQ(merged.rows.weights, (std::vector<double>{2, 2, 1}));
}

TEST(EqualRows, HaveTheFitAndTheNoiseOfTheRowsOneByOne) {
  Rows rows = made_up_rows(80, 2, 903, 0.3);
  for (std::size_t r = 40; r < 80; ++r)
    for (std::size_t j = 0; j < 2; ++j) rows.at(r, j) = rows.at(r - 40, j);
  const MadeUpGrowth all(rows);
  const MergedRows merged = merge_equal_rows(all.data.rows, first_equal_rows(all.data.rows));
  ASSERT_EQ(merged.rows.block.rows(), 40U);
  GrowingData fewer = all.data;
  fewer.rows = merged.rows.block;
  fewer.within_squares = merged.within_squares;
  const Stage one_by_one = fit_penalised(all.data, all.mains(4));
  const Stage together = fit_penalised(fewer, all.mains(4));
  EXPECT_NEAR(together.noise_variance / one_by_one.noise_variance, 1, 1e-9);
  EXPECT_NEAR(together.press.loss / one_by_one.press.loss, 1, 1e-9);
}

TEST(Referee, PredictsAFoldFromTheOtherRowsAlone) {
  MadeUpGrowth made_up(made_up_rows(120, 2, 904, 0.2));
  made_up.data.given_features = made_up.rows.features();
  GrowOptions options;
  options.max_order = 1;
  const std::vector<std::size_t> folds = folds_of(feature_hashes(made_up.data.rows.x), {}, 4);
  const LeftOut before = leave_folds_out(made_up.data, options, folds);
  // Whatever the targets of a fold are, its own predictions stay, and those of other folds change.
  std::vector<double> y(made_up.data.rows.y.begin(), made_up.data.rows.y.end());
  for (std::size_t r = 0; r < y.size(); ++r)
    if (folds[r] == 2) y[r] += 10;
  made_up.data.rows.y = y;
  const LeftOut after = leave_folds_out(made_up.data, options, folds);
  for (const StageKind kind : {StageKind::constant, StageKind::lines, StageKind::main_effects})
    for (std::size_t r = 0; r < y.size(); ++r) {
      const std::size_t k = place_of(kind);
      EXPECT_EQ(before[k][r] == after[k][r], folds[r] == 2) << "row " << r;
    }
}

TEST(Referee, FindsTheSameOnAnyNumberOfThreads) {
  MadeUpGrowth made_up(made_up_rows(90, 3, 905, 0.2));
  made_up.data.given_features = made_up.rows.features();
  const std::vector<std::size_t> folds = folds_of(feature_hashes(made_up.data.rows.x), {}, 5);
  const LeftOut alone = leave_folds_out(made_up.data, {}, folds);
  made_up.data.threads = 3;
  EXPECT_EQ(leave_folds_out(made_up.data, {}, folds), alone);
}

TEST(ShrunkStage, IsBetweenThePairsAndTheMainEffects) {
  const MadeUpGrowth made_up(made_up_rows(200, 2, 906, 0.1));
  std::vector<GrownTerm> terms = made_up.mains(4);
  terms.push_back(made_up.term({0, 1}, 2));
  const Stage stage = fit_penalised(made_up.data, terms);
  ASSERT_EQ(stage.order(), 2U);
  const Stage shrunk = fit_shrunk(made_up.data, stage, 10);
  EXPECT_LT(shrunk.press.leverage, stage.press.leverage);
  EXPECT_GT(shrunk.press.loss, stage.press.loss);
  const std::vector<double> factors{10};
  const auto fits = shrunk_functions(made_up.data, stage, factors);
  ASSERT_EQ(fits[0].coefficients.size(), shrunk.function->coefficients.size());
  std::vector<double> in_directions(200);
  std::vector<double> in_all_columns(200);
  const auto evaluate = [&](const FittedFunction& fit, std::vector<double>& values) {
    evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, made_up.data.rows.x,
                  values, 1);
  };
  evaluate(fits[0], in_directions);
  evaluate(*shrunk.function, in_all_columns);
  for (std::size_t r = 0; r < 200; ++r) EXPECT_NEAR(in_directions[r], in_all_columns[r], 1e-6);
}

}  // namespace
}  // namespace kore
