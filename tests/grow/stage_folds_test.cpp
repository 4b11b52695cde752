// Stages fitted without parts of the rows, with the terms that all rows found.
#include "grow/stage_folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grow/made_up_growth.hpp"
#include "grow/own_rows.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;

std::size_t solved_candidate(StageKind kind) {
  return static_cast<std::size_t>(std::ranges::find(candidates(), kind, &Candidate::kind) -
                                  candidates().begin());
}

/// A growth with pairs, and folds.
struct Grown {
  explicit Grown(std::size_t count, double noise = 0.3) : made_up(made_up_rows(count, 3, 971, noise)) {
    made_up.data.given_features = made_up.rows.features();
    whole = grow(made_up.data, {});
    folds = folds_of(feature_hashes(made_up.data.rows.x), {}, 4);
  }
  LeftOut left_out() const {
    return leave_folds_out_of_stages(made_up.data, whole, std::vector<bool>(candidates().size(), true), folds,
                                     {});
  }

  MadeUpGrowth made_up;
  Growth whole;
  std::vector<std::size_t> folds;
};

TEST(StageFolds, PredictARowFromOtherFoldsAlone) {
  Grown grown(400);
  ASSERT_NE(stage_of(grown.whole, StageKind::pairs), nullptr);
  const LeftOut before = grown.left_out();
  std::vector<double> y(grown.made_up.data.rows.y.begin(), grown.made_up.data.rows.y.end());
  for (std::size_t r = 0; r < y.size(); ++r)
    if (grown.folds[r] == 2) y[r] += 10;
  grown.made_up.data.rows.y = y;
  const LeftOut after = grown.left_out();
  for (const StageKind kind :
       {StageKind::constant, StageKind::lines, StageKind::main_effects, StageKind::pairs})
    for (std::size_t r = 0; r < y.size(); ++r) {
      const std::size_t k = solved_candidate(kind);
      ASSERT_EQ(before[k][r] == after[k][r], grown.folds[r] == 2) << "row " << r << ", candidate " << k;
    }
}

TEST(StageFolds, PredictWhatAFitToTheOtherRowsDoes) {
  const Grown grown(600);
  const LeftOut left_out = grown.left_out();
  for (const StageKind kind : {StageKind::main_effects, StageKind::pairs}) {
    const Stage& stage = *stage_of(grown.whole, kind);
    std::vector<std::size_t> inside;
    for (std::size_t r = 0; r < grown.folds.size(); ++r)
      if (grown.folds[r] != 1) inside.push_back(r);
    const OwnRows seen(grown.made_up.data.rows, inside);
    GrowingData others = grown.made_up.data;
    others.rows = seen.block;
    const Stage again = fit_penalised(others, stage.terms);
    std::vector<double> values(grown.folds.size());
    evaluate_rows(again.function->design, again.function->intercept, again.function->coefficients,
                  Extrapolation::linear, grown.made_up.data.rows.x, values, 1);
    double squares = 0;
    double count = 0;
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (grown.folds[r] != 1) continue;
      squares += std::pow(values[r] - left_out[solved_candidate(kind)][r], 2);
      ++count;
    }
    EXPECT_LT(std::sqrt(squares / count), 0.02) << "noise has a deviation of 0.3";
  }
}

TEST(StageFolds, AreTheSameOnAnyNumberOfThreads) {
  Grown grown(400);
  const LeftOut alone = grown.left_out();
  grown.made_up.data.threads = 3;
  EXPECT_EQ(grown.left_out(), alone);
}

TEST(StageFolds, StayLevelOutsideTheRangeOfOtherFolds) {
  Grown grown(400);
  grown.made_up.data.extrapolation = Extrapolation::constant;
  const auto& x = grown.made_up.data.rows.x;
  std::size_t outermost = 0;
  for (std::size_t r = 0; r < x.rows(); ++r)
    if (x(r, 0) > x(outermost, 0)) outermost = r;
  double next = 0;  // in other folds
  for (std::size_t r = 0; r < x.rows(); ++r)
    if (grown.folds[r] != grown.folds[outermost]) next = std::max(next, x(r, 0));
  ASSERT_LT(next, x(outermost, 0));
  const std::size_t mains = solved_candidate(StageKind::main_effects);
  const double drawn_in = grown.left_out()[mains][outermost];
  std::vector<double> moved = grown.made_up.rows.x;
  moved[outermost] = next;
  grown.made_up.data.rows.x = MatrixView::column_major(moved, x.rows(), x.columns());
  EXPECT_NEAR(grown.left_out()[mains][outermost], drawn_in, 1e-3);
}

TEST(StageFolds, FindNothingOutsideOfACircle) {
  const test::Rows rows = made_up_rows(400, 3, 973, 0.3);
  std::vector<Feature> features = rows.features();
  features[0].range.highest = features[0].range.lowest + 1;
  features[0].cyclic = true;
  MadeUpGrowth made(rows, features);
  made.data.given_features = features;
  made.data.extrapolation = Extrapolation::constant;
  const Growth whole = grow(made.data, {});
  const std::vector<std::size_t> folds = folds_of(feature_hashes(made.data.rows.x), {}, 4);
  const std::vector<bool> all(candidates().size(), true);
  const LeftOut before = leave_folds_out_of_stages(made.data, whole, all, folds, {});
  std::vector<double> moved = made.rows.x;
  for (std::size_t r = 0; r < rows.count; ++r)
    if (folds[r] == 2) moved[r] += 5;
  made.data.rows.x = MatrixView::column_major(moved, rows.count, 3);
  const LeftOut after = leave_folds_out_of_stages(made.data, whole, all, folds, {});
  const std::size_t mains = solved_candidate(StageKind::main_effects);
  for (std::size_t r = 0; r < rows.count; ++r) EXPECT_NEAR(after[mains][r], before[mains][r], 1e-6) << r;
}

TEST(StageFolds, ServeWhereTermsHardlyDependOnAFold) {
  const Grown few(400);
  EXPECT_FALSE(terms_may_stay(few.made_up.data, few.whole));
  Grown many(1000);
  EXPECT_TRUE(terms_may_stay(many.made_up.data, many.whole));
  Growth crowded;
  crowded.stages.emplace_back().left_out_losses.assign(1000, 1.0);
  crowded.stages[0].press.weight_sum = 1;
  EXPECT_TRUE(terms_may_stay(many.made_up.data, crowded));
  crowded.screened.assign(101, ScoredTerm{{{0, 1}, {2, 2}}});
  EXPECT_FALSE(terms_may_stay(many.made_up.data, crowded)) << "pairs competed for their places";
  crowded.screened.clear();
  crowded.stages[0].press.left_out_loss = 100;
  EXPECT_FALSE(terms_may_stay(many.made_up.data, crowded)) << "there is nothing but noise";
  crowded.stages[0].press.left_out_loss = 0;
  crowded.stages[0].left_out_losses[7] = 1000;
  EXPECT_FALSE(terms_may_stay(many.made_up.data, crowded)) << "one row has half of the squared error";
}

}  // namespace
}  // namespace kore
