// Fits of responses with a link: they minimise the penalised deviance, and leave rows out by one Newton step.
#include "grow/iterated_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/linear_form.hpp"
#include "support/family_rows.hpp"

namespace kore {
namespace {

using test::family_rows;
using test::Rows;

struct Case {
  const char* family;
  double parameter;
};

/// Rows of a family, ready to grow from.
struct FamilyGrowth {
  FamilyGrowth(const Case& wanted, std::size_t count, std::uint64_t seed)
      : response(response_with(wanted.family, wanted.parameter)),
        rows(family_rows(wanted.family, count, seed)) {
    rows.weights = test::uneven_weights(count, seed + 5);
    data = data_of(rows);
  }
  GrowingData data_of(const Rows& of) const {
    GrowingData made;
    made.response = response.get();
    made.rows = of.block();
    made.coordinates = coordinates_of(rows.features(), rows.block());
    made.features = features_of(made.coordinates);
    made.constant_predictor = constant_of(*response, made.rows);
    return made;
  }
  std::vector<double> predictors(const Stage& stage) const {
    std::vector<double> values(rows.count);
    const FittedFunction& fit = *stage.function;
    evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, rows.view(), values, 1);
    return values;
  }

  std::shared_ptr<const Response> response;
  Rows rows;
  GrowingData data;
};

class IteratedFit : public testing::TestWithParam<Case> {};

/// The slope of the deviance by a function's coefficient, `sum of count * weight * residual * value`,
/// vanishes.
void expect_no_slope(const FamilyGrowth& growth, const Stage& stage,
                     const std::function<double(std::size_t)>& value) {
  const std::vector<double> predictor = growth.predictors(stage);
  WorkingMemory memory;
  const WorkingRows rows =
      growth.response->working_rows(growth.rows.y, growth.rows.weights, predictor, memory);
  double slope = 0;
  double size = 0;
  for (std::size_t r = 0; r < growth.rows.count; ++r) {
    const double own = rows.weights[r] * (rows.target[r] - predictor[r]) * value(r);
    slope += own;
    size += std::abs(own);
  }
  EXPECT_LT(std::abs(slope), 1e-6 * size);
}

TEST_P(IteratedFit, OfStraightLinesIsTheGeneralisedLinearModel) {
  const FamilyGrowth growth(GetParam(), 150, 31);
  const GrowingData lines = straightened(growth.data);
  Stage stage = fit_unpenalised(lines, main_effects(lines, 1));
  complete(lines, stage);
  EXPECT_TRUE(stage.convergence.settled);
  expect_no_slope(growth, stage, [](std::size_t) { return 1.0; });
  for (std::size_t j = 0; j < 3; ++j)
    expect_no_slope(growth, stage, [&](std::size_t r) { return growth.rows.at(r, j); });
}

TEST_P(IteratedFit, WithPenaltiesKeepsTheMeanAndFindsTheCurves) {
  const FamilyGrowth growth(GetParam(), 600, 32);
  Stage stage = fit_penalised(growth.data, main_effects(growth.data, 10));
  complete(growth.data, stage);
  expect_no_slope(growth, stage, [](std::size_t) { return 1.0; });
  const std::vector<double> predictor = growth.predictors(stage);
  double squares = 0;
  double variance = 0;
  for (std::size_t r = 0; r < growth.rows.count; ++r) {
    const double truth = test::true_predictor(growth.rows, r);
    squares += std::pow(predictor[r] - truth, 2);
    variance += std::pow(truth + 0.2, 2);
  }
  EXPECT_LT(squares, 0.15 * variance);
}

TEST_P(IteratedFit, LeavesRowsOutNearlyAsAFitWithoutThemWould) {
  const FamilyGrowth growth(GetParam(), 90, 33);
  Stage stage = fit_penalised(growth.data, main_effects(growth.data, 3));
  complete(growth.data, stage);
  double expected = 0;
  double found = 0;
  for (std::size_t r = 0; r < growth.rows.count; r += 3) {
    Rows without = growth.rows;
    without.weights[r] = 0;
    GrowingData data = growth.data_of(without);
    Stage left = fit_shrunk(data, stage, 1);  // the same penalties
    complete(data, left);
    const double eta = growth.predictors(left)[r];
    const double loss = growth.response->loss(growth.rows.y[r], eta);
    // One Newton step is exact to first order in the influence of the row.
    EXPECT_NEAR(stage.left_out_losses[r], loss, 0.1 * (1 + loss)) << "row " << r;
    expected += growth.rows.weights[r] * loss;
    found += growth.rows.weights[r] * stage.left_out_losses[r];
  }
  EXPECT_NEAR(found / expected, 1, 0.03);
}

TEST_P(IteratedFit, IsTheSameFromAnyStart) {
  const FamilyGrowth growth(GetParam(), 200, 34);
  Stage stage = fit_penalised(growth.data, main_effects(growth.data, 4));
  complete(growth.data, stage);
  GrowingData elsewhere = growth.data;
  std::vector<double> start;
  for (std::size_t r = 0; r < growth.rows.count; ++r) start.push_back(growth.rows.at(r, 2) - 0.5);
  elsewhere.predictor = std::make_shared<const std::vector<double>>(start);
  Stage moved;
  moved.terms = stage.terms;
  moved.penalties = stage.penalties;
  moved.noise_variance = stage.noise_variance;
  moved.function = stage.function;
  moved.predictor = elsewhere.predictor;
  complete(elsewhere, moved);
  const std::vector<double> a = growth.predictors(stage);
  const std::vector<double> b = growth.predictors(moved);
  for (std::size_t r = 0; r < a.size(); ++r) EXPECT_NEAR(a[r], b[r], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Families, IteratedFit,
                         testing::Values(Case{"binomial", 0}, Case{"poisson", 1}, Case{"gamma", 0},
                                         Case{"negative_binomial", 3}));

TEST(SeparatedRows, HaveAFiniteFit) {
  FamilyGrowth growth({"binomial", 0}, 200, 35);
  for (std::size_t r = 0; r < 200; ++r) growth.rows.y[r] = growth.rows.at(r, 0) > 0.5 ? 1 : 0;
  growth.data = growth.data_of(growth.rows);
  const Stage stage = fit_penalised(growth.data, main_effects(growth.data, 4));
  for (const double c : stage.function->coefficients) EXPECT_TRUE(std::isfinite(c));
  EXPECT_TRUE(std::isfinite(stage.loo()));
  EXPECT_LT(stage.loo(), 0.5);
}

}  // namespace
}  // namespace kore
