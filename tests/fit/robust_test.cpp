// The robust loss: gross errors in the target do not bend a fit, and what is stated stays true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fit/held_out.hpp"
#include "fit/refit.hpp"
#include "fit/robust_rows.hpp"
#include "kore/fit.hpp"
#include "response/robust.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

constexpr double noise = 0.3;

Options robust() {
  Options options;
  options.grown().loss = Loss::robust;
  return options;
}

/// Every so many rows are wrong by a hundred noise deviations, most of them upwards.
Rows with_gross_errors(Rows rows, std::size_t every) {
  for (std::size_t r = 3; r < rows.count; r += every) rows.y[r] += (r % 4 == 0 ? -100 : 100) * noise;
  return rows;
}

/// Distance from the truth, at rows without noise.
double error_of(const Model& model, std::size_t columns) {
  const Rows truth = made_up_rows(2000, columns, 77, 0);
  const std::vector<double> predicted = predict(model, truth.view());
  double squares = 0;
  for (std::size_t r = 0; r < truth.count; ++r) squares += std::pow(predicted[r] - truth.y[r], 2);
  return std::sqrt(squares / static_cast<double>(truth.count));
}

TEST(RobustLoss, IsNotBentByGrossErrors) {
  const Rows clean = made_up_rows(1000, 3, 501, noise);
  const Rows wrong = with_gross_errors(clean, 50);
  const double clean_error = error_of(fit(clean.source()), 3);
  EXPECT_GT(error_of(fit(wrong.source()), 3), 4 * clean_error);
  const Model model = fit(wrong.source(), robust());
  EXPECT_LT(error_of(model, 3), 1.5 * clean_error);
  ASSERT_TRUE(model.summary.robust);
  // Of even noise, half the errors are beyond half of the largest.
  EXPECT_NEAR(model.summary.robust->scale, noise * std::numbers::sqrt3 / 2 / 0.6745, 0.15 * noise);
  EXPECT_NEAR(std::sqrt(model.summary.noise_variance), noise, 0.15 * noise);
  EXPECT_EQ(model.summary.robust->rows, 1000U);
  EXPECT_NEAR(static_cast<double>(model.summary.robust->discounted), 20, 4);
  EXPECT_GT(model.summary.robust->r2, 0.7);
  EXPECT_GT(model.summary.accuracy->rmse, 5 * noise) << "all rows count in what is stated";
}

TEST(RobustLoss, CostsHardlyAnythingOnCleanRows) {
  const Rows clean = made_up_rows(1000, 3, 503, noise);
  const Model plain = fit(clean.source());
  const Model model = fit(clean.source(), robust());
  EXPECT_LT(error_of(model, 3), 1.1 * error_of(plain, 3));
  EXPECT_LT(model.summary.robust->discounted, 10U);
  EXPECT_NEAR(model.summary.accuracy->rmse, plain.summary.accuracy->rmse, 0.05 * noise);
  EXPECT_FALSE(plain.summary.robust);
}

TEST(RobustLoss, OfALongTableWeighsRowsOfTheStream) {
  const Rows clean = made_up_rows(4000, 3, 505, noise);
  const Rows wrong = with_gross_errors(clean, 50);
  Options options = robust();
  options.grown().structure_rows = 1000;
  const Model model = fit(wrong.source(), options);
  EXPECT_LT(model.summary.structure_rows, 4000U);
  Options plain;
  plain.grown().structure_rows = 1000;
  EXPECT_LT(error_of(model, 3), 1.5 * error_of(fit(clean.source(), plain), 3));
  EXPECT_NEAR(std::sqrt(model.summary.noise_variance), noise, 0.15 * noise);
}

TEST(RobustLoss, IsWhatTheModelMinimises) {
  const Rows wrong = with_gross_errors(made_up_rows(600, 2, 507, noise), 30);
  const MemorySource source = wrong.source();
  const Model model = fit(source, robust());
  EXPECT_TRUE(model.summary.robust->settled);
  // Rows weighed by the model itself give the model.
  const Smoother again = refit(source, model, 1);
  ASSERT_EQ(again.coefficients().size(), model.coefficients.size());
  for (std::size_t j = 0; j < model.coefficients.size(); ++j)
    EXPECT_NEAR(again.coefficients()[j], model.coefficients[j], 1e-4 * noise) << j;
}

TEST(RobustLoss, KeepsWeightsGroupsAndEqualRows) {
  Rows rows = with_gross_errors(made_up_rows(600, 2, 509, noise), 40);
  rows.weights.assign(rows.count, 2.0);
  for (std::size_t r = 0; r < rows.count; ++r) rows.groups.push_back(static_cast<double>(r % 30));
  for (std::size_t j = 0; j < 2; ++j) rows.at(11, j) = rows.at(3, j);  // one of both is wrong
  const Model model = fit(rows.source(), robust());
  EXPECT_EQ(model.summary.accuracy->groups, 30U);
  EXPECT_EQ(model.summary.weight_sum, 1200);
  EXPECT_EQ(model.summary.equal_rows, 0U) << "they are of different groups";
  EXPECT_LT(error_of(model, 2), 0.5 * noise);
}

TEST(RobustLoss, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Rows wrong = with_gross_errors(made_up_rows(1500, 3, 511, noise), 50);
  Options options = robust();
  options.grown().structure_rows = 600;
  options.threads = 1;
  const Model one = fit(wrong.source(), options);
  options.threads = 3;
  const Model three = fit(wrong.source(), options);
  EXPECT_EQ(one.coefficients, three.coefficients);
  EXPECT_EQ(one.residual_quantiles, three.residual_quantiles);
}

TEST(RobustLoss, SurvivesTargetsThatAreMostlyEqual) {
  Rows rows = made_up_rows(300, 2, 513, 0);
  for (double& y : rows.y) y = y > 3 ? y : 1;
  EXPECT_GT(std::ranges::count(rows.y, 1.0), 150);
  const Model model = fit(rows.source(), robust());
  ASSERT_TRUE(model.summary.robust);
  EXPECT_GT(model.summary.robust->r2, 0.3) << "the others are not errors";
  for (const double c : model.coefficients) EXPECT_TRUE(std::isfinite(c));
}

TEST(NoiseScale, IsTheDeviationOfNormalNoiseWithTheSameMedian) {
  EXPECT_NEAR(noise_scale_of({-1, 0.5, 2, -3, 1000}, {}), 2 / 0.67449, 1e-4);
  const std::vector<double> counts{0, 0, 5, 1, 1};
  EXPECT_NEAR(noise_scale_of({-1, 0.5, 2, -3, 1000}, counts), 2 / 0.67449, 1e-4);
}

HeldOut held_out(const std::vector<double>& errors) {
  HeldOut rows;
  for (const double error : errors) rows.add(error, 0, 1);
  return rows;
}

TEST(GrossErrors, AreFewAndStandApart) {
  test::Uniform uniform(515);
  std::vector<double> errors;
  for (int i = 0; i < 1000; ++i) errors.push_back(uniform.between(-1, 1));
  EXPECT_EQ(gross_errors_of(held_out(errors)), 0U);
  std::vector<double> with_some = errors;
  for (int i = 0; i < 10; ++i) with_some.push_back(60);
  EXPECT_EQ(gross_errors_of(held_out(with_some)), 10U);
  std::vector<double> with_two = errors;
  for (int i = 0; i < 2; ++i) with_two.push_back(60);
  EXPECT_EQ(gross_errors_of(held_out(with_two)), 0U) << "two may be chance";
}

TEST(GrossErrors, AreNotRareEvents) {
  HeldOut rows;
  for (int i = 0; i < 1000; ++i) rows.add(i % 50 == 0 ? 1 : 0, 0.02 + 1e-5 * i, 1);
  EXPECT_EQ(gross_errors_of(rows), 0U) << "most targets are zero";
}

TEST(GrossErrors, AreNotTheTailOfASkewedTarget) {
  test::Uniform uniform(517);
  std::vector<double> errors;
  for (int i = 0; i < 5000; ++i) {
    const double a = std::sqrt(-2 * std::log(1 - uniform()));
    const double normal = a * std::cos(2 * std::numbers::pi * uniform());
    errors.push_back(std::exp(1.5 * normal) - std::exp(1.125));
  }
  EXPECT_EQ(gross_errors_of(held_out(errors)), 0U);
}

}  // namespace
}  // namespace kore
