// Fits of some terms, with their penalties solved for and every row left out once.
#include "grow/stage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grow/made_up_growth.hpp"
#include "penalty/roughness.hpp"
#include "support/press_oracle.hpp"
#include "support/scaled_response.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

Rows mixed_table(std::size_t count) {
  Rows rows = made_up_rows(count, 3, 801, 0.2);
  rows.weights = test::uneven_weights(count, 802);
  for (std::size_t r = 0; r < count; ++r) rows.at(r, 2) = std::floor(3 * rows.at(r, 2));
  return rows;
}

std::vector<Feature> with_category(const Rows& rows) {
  std::vector<Feature> features = rows.features();
  features[2] = {"kind", {0, 2}, FeatureKind::category, 3};
  return features;
}

/// The same fit by definition: rows left out by leaving them out, the penalties as they are.
void expect_brute_force_loo(const MadeUpGrowth& growth, const Stage& stage) {
  SmootherOptions options;
  options.ridge = stage.ridge;
  options.relative_ridge = true;
  options.penalties = stage.penalties;
  const test::PressOracle oracle(stage.function->design, growth.data.rows, options);
  double squares = 0;
  double weight = 0;
  double parameters = 0;
  for (std::size_t r = 0; r < growth.rows.count; ++r) {
    const double expected = oracle.loo_residual(r);
    EXPECT_NEAR(stage.loo_residuals[r], expected, 1e-7) << "row " << r;
    squares += growth.data.rows.weight(r) * expected * expected;
    weight += growth.data.rows.weight(r);
    parameters += oracle.leverage(r);
  }
  EXPECT_NEAR(stage.loo() / (squares / weight), 1, 1e-7);
  EXPECT_NEAR(stage.press.leverage, parameters, 1e-6);
}

TEST(Stage, WithPenaltiesHasTheLeaveOneOutOfRefitsWithTheSamePenalties) {
  const Rows rows = mixed_table(45);
  const MadeUpGrowth growth(rows, with_category(rows));
  std::vector<GrownTerm> terms = growth.mains(4);
  terms.push_back(growth.term({0, 1}, 1));
  terms.push_back(growth.term({0, 2}, 1));
  Stage stage = fit_penalised(growth.data, terms);
  ASSERT_EQ(stage.penalties.size(), stage.terms.size());
  complete(growth.data, stage);
  expect_brute_force_loo(growth, stage);
}

TEST(Stage, WithoutPenaltiesHasTheLeaveOneOutOfLeastSquares) {
  const Rows rows = mixed_table(45);
  const MadeUpGrowth growth(rows, with_category(rows));
  const Stage stage = fit_unpenalised(growth.data, growth.mains(2));
  EXPECT_TRUE(stage.penalties.empty());
  expect_brute_force_loo(growth, stage);
  EXPECT_NEAR(stage.noise_variance, stage.press.loss / (stage.press.weight_sum - stage.press.leverage),
              1e-12);
}

TEST(Stage, KnowsItsResponseThroughLossesAndWorkingRowsAlone) {
  const Rows rows = mixed_table(120);
  MadeUpGrowth growth(rows, with_category(rows));
  std::vector<GrownTerm> terms = growth.mains(4);
  terms.push_back(growth.term({0, 1}, 1));
  const Stage plain = fit_penalised(growth.data, terms);
  const Stage without = fit_unpenalised(growth.data, growth.mains(2));
  const test::ScaledResponse scaled;  // half the coefficients, hence four times the weights
  growth.data.response = &scaled;
  const Stage stage = fit_penalised(growth.data, terms);
  ASSERT_EQ(stage.terms.size(), plain.terms.size());
  for (std::size_t t = 0; t < stage.terms.size(); ++t)
    for (std::size_t k = 0; k < stage.terms[t].weights.size(); ++k)
      EXPECT_NEAR(stage.terms[t].weights[k] / (4 * plain.terms[t].weights[k]), 1, 1e-9);
  for (std::size_t r = 0; r < rows.count; ++r) {
    EXPECT_NEAR(2 * stage.loo_residuals[r], plain.loo_residuals[r], 1e-9);
    EXPECT_NEAR(stage.left_out_losses[r], std::pow(plain.loo_residuals[r], 2), 1e-9);
  }
  EXPECT_NEAR(stage.loo(), plain.loo(), 1e-9);
  EXPECT_NEAR(stage.noise_variance, plain.noise_variance, 1e-9);
  EXPECT_NEAR(fit_unpenalised(growth.data, growth.mains(2)).noise_variance, without.noise_variance, 1e-9);
}

TEST(Stage, HoldsItsTermsByTheWeightsItTells) {
  const MadeUpGrowth growth(made_up_rows(300, 2, 803, 0.2));
  std::vector<GrownTerm> terms = growth.mains(8);
  terms.push_back(growth.term({0, 1}, 2));
  const Stage stage = fit_penalised(growth.data, terms);
  const Design& design = stage.function->design;
  ASSERT_EQ(stage.terms.size(), 3U);  // the pair is there
  EXPECT_EQ(stage.order(), 2U);
  double parameters = 1;
  for (std::size_t t = 0; t < stage.terms.size(); ++t) {
    EXPECT_EQ(stage.terms[t].columns, design.term_columns(t));
    EXPECT_EQ(stage.penalties[t].term, t);
    const std::vector<double> expected = weighted_penalty(design, t, stage.terms[t].weights);
    ASSERT_EQ(stage.penalties[t].matrix.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(stage.penalties[t].weight * stage.penalties[t].matrix[i], expected[i],
                  1e-12 * (1 + std::abs(expected[i])));
    parameters += stage.terms[t].parameters;
  }
  // But for directions that are left out where weights are solved for.
  EXPECT_NEAR(parameters / stage.press.leverage, 1, 0.002);
  EXPECT_NEAR(stage.noise_variance, 0.04, 0.01);
}

TEST(Stage, DropsInteractionsThatAreNotThereAndNoMainEffect) {
  // Noise alone gives a weight below infinity to about every second absent term, and then few parameters.
  int dropped = 0;
  double parameters = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rows rows = made_up_rows(400, 3, 2 * seed);
    test::Uniform uniform(2 * seed + 1);
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.y[r] =
          std::sin(6 * rows.at(r, 0)) + 3 * rows.at(r, 1) * rows.at(r, 2) + 0.3 * uniform.between(-1, 1);
    const MadeUpGrowth growth(rows);
    std::vector<GrownTerm> terms = growth.mains(8);
    terms.push_back(growth.term({1, 2}, 2));
    terms.push_back(growth.term({0, 1}, 2));
    const Stage stage = fit_penalised(growth.data, terms);
    ASSERT_GE(stage.terms.size(), 4U);
    EXPECT_EQ(stage.terms[3].term.features, (std::vector<std::size_t>{1, 2}));
    if (stage.terms.size() == 4)
      ++dropped;
    else
      parameters += stage.terms[4].parameters;
  }
  EXPECT_GE(dropped, 7);
  EXPECT_LT(parameters, 20);
}

TEST(Stage, LeavesRowsOfWeightZeroWithoutAResidual) {
  Rows rows = made_up_rows(120, 2, 806);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.weights.push_back(r % 4 == 0 ? 0.0 : 1.0);
    if (r % 4 != 0) kept.push_back(r);
  }
  const Rows fewer = rows.pick(kept);
  for (std::size_t r = 0; r < rows.count; r += 4) {
    rows.y[r] = 1e9;
    rows.at(r, 0) = 1e200;
  }
  const MadeUpGrowth with(rows, fewer.features());
  const MadeUpGrowth without(fewer);
  const Stage ours = fit_penalised(with.data, with.mains(6));
  const Stage theirs = fit_penalised(without.data, without.mains(6));
  EXPECT_NEAR(ours.loo() / theirs.loo(), 1, 1e-9);
  for (std::size_t r = 0; r < rows.count; r += 4) EXPECT_EQ(ours.loo_residuals[r], 0);
}

TEST(Stage, OfColumnsThatDependOnEachOtherFindsEnoughRidge) {
  Rows rows = made_up_rows(200, 2, 807, 0.0);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 1) = rows.at(r, 0);
    rows.y[r] = rows.at(r, 0);
  }
  const MadeUpGrowth growth(rows);
  for (const Stage& stage :
       {fit_penalised(growth.data, growth.mains(8)), fit_unpenalised(growth.data, growth.mains(4))}) {
    EXPECT_TRUE(std::isfinite(stage.loo()));
    EXPECT_LT(stage.loo(), 1e-4);  // behind a warp a line has corners
    EXPECT_GE(stage.ridge, growth.data.ridge);
  }
}

TEST(Stage, TellsTheRidgeThatEqualColumnsNeeded) {
  Rows rows = made_up_rows(200, 3, 807, 0.1);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 2) = rows.at(r, 1) = rows.at(r, 0);
  MadeUpGrowth growth(rows);
  const Stage enough = fit_unpenalised(growth.data, growth.mains(8));
  EXPECT_EQ(enough.ridge, growth.data.ridge);
  EXPECT_EQ(enough.convergence.raised_ridge, 0);
  growth.data.ridge = 0;
  const Stage raised = fit_unpenalised(growth.data, growth.mains(8));
  EXPECT_GT(raised.ridge, 0);
  EXPECT_EQ(raised.convergence.raised_ridge, raised.ridge);
  EXPECT_NEAR(raised.loo() / enough.loo(), 1, 1e-3);
}

TEST(Stage, TellsWhetherItsPenaltyWeightsSettled) {
  MadeUpGrowth growth(made_up_rows(300, 2, 808, 0.2));
  const Stage settled = fit_penalised(growth.data, growth.mains(6));
  EXPECT_TRUE(settled.convergence.settled);
  EXPECT_GT(settled.convergence.steps, 2);
  growth.data.penalty_steps = 2;
  const Stage cut_off = fit_penalised(growth.data, growth.mains(6));
  EXPECT_FALSE(cut_off.convergence.settled);
  EXPECT_EQ(cut_off.convergence.steps, 2);
  const Stage without = fit_unpenalised(growth.data, growth.mains(6));
  EXPECT_TRUE(without.convergence.settled);
  EXPECT_EQ(without.convergence.steps, 0);
}

}  // namespace
}  // namespace kore
