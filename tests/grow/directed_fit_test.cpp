// Fits of interactions in the directions in which the rows count beside the penalty.
#include "grow/directed_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grow/made_up_growth.hpp"
#include "solve/normal_equations.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

/// Two curves and a fine surface that starts from a solved weight.
std::vector<GrownTerm> terms_with_weights(const MadeUpGrowth& growth) {
  std::vector<GrownTerm> terms = growth.mains(4);
  terms.push_back(growth.term({0, 1}, 6));
  terms.back().weights = {1.0};
  Stage first = fit_penalised(growth.data, terms);
  return first.terms;
}

Rows weighted_rows(std::size_t count) {
  Rows rows = made_up_rows(count, 2, 951, 0.2);
  rows.weights = test::uneven_weights(count, 952);
  rows.weights[3] = 0;
  return rows;
}

double value_at(const FittedFunction& function, const GrowingData& data, std::size_t row) {
  std::vector<double> values(data.rows.rows());
  evaluate_rows(function.design, function.intercept, function.coefficients, Extrapolation::linear,
                data.rows.x, values, 1);
  return values[row];
}

TEST(DirectedFit, LeavesARowOutAsAFitWithoutItDoes) {
  const MadeUpGrowth growth(weighted_rows(60));
  const std::vector<GrownTerm> terms = terms_with_weights(growth);
  const Design design = design_of(growth.data, terms);
  const Stage stage = fit_in_directions(growth.data, design, terms);
  const DirectionRows rows = rows_in(growth.data, stage.equations->basis);
  ASSERT_LT(rows.basis.columns, design.columns());
  const std::size_t p = rows.basis.columns;
  for (const std::size_t r : {0U, 7U, 31U, 59U}) {
    DirectedEquations without{rows.basis, products_of(rows, 1)};
    for (std::size_t j = 0; j < p; ++j) {
      without.products.right[j] -= rows.rows[r * p + j] * rows.target[r];
      for (std::size_t i = j; i < p; ++i)
        without.products.matrix[j * p + i] -= rows.rows[r * p + j] * rows.rows[r * p + i];
    }
    const double predicted = value_at(without.fit(stage.terms, 1), growth.data, r);
    EXPECT_NEAR(stage.loo_residuals[r], growth.data.rows.y[r] - predicted, 1e-6) << "row " << r;
  }
}

TEST(DirectedFit, IsAlmostTheFitInAllColumns) {
  const MadeUpGrowth growth(weighted_rows(150));
  const std::vector<GrownTerm> terms = terms_with_weights(growth);
  Stage stage = fit_in_directions(growth.data, design_of(growth.data, terms), terms);
  const double in_directions = stage.loo();
  const double parameters = stage.press.leverage;
  EXPECT_EQ(stage.smoother, nullptr);
  complete(growth.data, stage);
  ASSERT_NE(stage.smoother, nullptr);
  EXPECT_NEAR(in_directions / stage.loo(), 1, 0.01);
  EXPECT_NEAR(parameters, stage.press.leverage, 0.3);
}

TEST(DirectedFit, ThatStartsFromAFarTooLargeWeightFindsTheDirectionsThatItNeeds) {
  const MadeUpGrowth growth(weighted_rows(300));
  std::vector<GrownTerm> terms = terms_with_weights(growth);
  const Design design = design_of(growth.data, terms);
  const Stage well_started = fit_in_directions(growth.data, design, terms);
  ASSERT_EQ(terms.back().term.order(), 2U);
  for (double& weight : terms.back().weights) weight *= 1000;
  const Stage badly_started = fit_in_directions(growth.data, design, terms);
  ASSERT_EQ(badly_started.terms.size(), well_started.terms.size());
  EXPECT_NEAR(badly_started.press.leverage / well_started.press.leverage, 1, 0.1);
  EXPECT_NEAR(badly_started.loo() / well_started.loo(), 1, 0.02);
}

TEST(DirectedFit, HasTheSameBitsOnAnyNumberOfThreads) {
  MadeUpGrowth growth(weighted_rows(1500));
  const std::vector<GrownTerm> terms = terms_with_weights(growth);
  const Design design = design_of(growth.data, terms);
  const Stage alone = fit_in_directions(growth.data, design, terms);
  growth.data.threads = 3;
  const Stage together = fit_in_directions(growth.data, design, terms);
  EXPECT_EQ(alone.function->coefficients, together.function->coefficients);
  EXPECT_EQ(alone.loo_residuals, together.loo_residuals);
}

TEST(DirectedFit, OfAWeightIsThatOfARowGivenTwice) {
  Rows twice = made_up_rows(80, 2, 953, 0.2);
  Rows weighted = twice;
  weighted.weights.assign(80, 2.0);
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < 160; ++r) order.push_back(r % 80);
  twice = twice.pick(order);
  const MadeUpGrowth stacked(twice);
  const MadeUpGrowth counted(weighted);
  const std::vector<GrownTerm> terms = terms_with_weights(counted);
  const Design design = design_of(counted.data, terms);
  const Stage a = fit_in_directions(stacked.data, design, terms);
  const Stage b = fit_in_directions(counted.data, design, terms);
  for (std::size_t i = 0; i < a.function->coefficients.size(); ++i)
    EXPECT_NEAR(a.function->coefficients[i], b.function->coefficients[i], 1e-8);
}

TEST(DirectedFit, WritesLevelsAsTheyAre) {
  Rows rows = made_up_rows(300, 2, 955, 0.2);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 1) = std::floor(20 * rows.at(r, 1));
  rows.weights = test::uneven_weights(rows.count, 956);
  const MadeUpGrowth growth(rows);
  std::vector<GrownTerm> terms = growth.mains(6);
  terms.push_back({{{1}, {each_value}}});
  terms.back().weights = {3.0};
  const Design design = design_of(growth.data, terms);
  const DirectionRows dense = direction_rows(growth.data, design, terms, 0.01);
  ASSERT_TRUE(dense.basis.directions[2].are_levels());
  const std::size_t p = dense.basis.columns;
  EXPECT_EQ(p, design.columns() + 1) << "an indicator for every level";
  const Products products = products_of(dense, 1);
  for (std::size_t j = dense.basis.offsets[2]; j < p; ++j)
    for (std::size_t i = j + 1; i < p; ++i) EXPECT_EQ(products.matrix[j * p + i], 0);
  // The same penalties in all columns.
  Stage stage = fit_in_directions(growth.data, design, terms);
  ASSERT_EQ(stage.terms.size(), 3U);
  const FittedFunction directed = *stage.function;
  const double leverage = stage.press.leverage;
  complete(growth.data, stage);
  ASSERT_TRUE(stage.smoother);
  for (const std::size_t r : {0U, 100U, 299U})
    EXPECT_NEAR(value_at(*stage.function, growth.data, r), value_at(directed, growth.data, r), 1e-6);
  EXPECT_NEAR(stage.press.leverage, leverage, 1e-6);
}

TEST(DirectedFit, PredictsInTheBasisOfOtherRows) {
  const MadeUpGrowth growth(weighted_rows(80));
  const std::vector<GrownTerm> terms = terms_with_weights(growth);
  const DirectionBasis basis = direction_basis(growth.data, design_of(growth.data, terms), terms, 0.01);
  const DirectionRows all = rows_in(growth.data, basis);
  GrowingData some = growth.data;
  const Rows half = growth.rows.slice(40, 40);
  some.rows = half.block();
  const DirectionRows part = rows_in(some, basis);
  ASSERT_EQ(part.rows.size(), 40 * basis.columns);
  for (std::size_t i = 0; i < part.rows.size(); ++i)
    EXPECT_EQ(part.rows[i], all.rows[40 * basis.columns + i]);
}

}  // namespace
}  // namespace kore
