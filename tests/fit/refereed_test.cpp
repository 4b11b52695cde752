// What a fit states about rows it has not seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

Rows noise(std::size_t count, std::size_t columns, std::uint64_t seed) {
  Rows rows = made_up_rows(count, columns, seed);
  test::Uniform uniform(seed + 1);
  for (double& y : rows.y) y = uniform.between(-1, 1);
  return rows;
}

TEST(StatedError, OfPureNoiseIsThatOfTheMean) {
  for (const std::uint64_t seed : {921U, 923U, 925U}) {
    const Rows rows = noise(60, 20, seed);
    const Model model = fit(rows.view(), rows.y);
    ASSERT_TRUE(model.summary.accuracy);
    EXPECT_LT(model.summary.accuracy->r2, 0.25) << seed;
    EXPECT_GT(model.summary.noise_variance, 0.2) << "the noise has 1/3";
  }
}

TEST(StatedError, HoldsOnFreshRows) {
  const Rows rows = made_up_rows(150, 4, 927, 0.3);
  const Rows fresh = made_up_rows(3000, 4, 928, 0.3);
  const Model model = fit(rows.view(), rows.y);
  const std::vector<double> predicted = predict(model, fresh.view());
  double squares = 0;
  double absolute = 0;
  for (std::size_t r = 0; r < fresh.count; ++r) {
    squares += std::pow(fresh.y[r] - predicted[r], 2) / 3000;
    absolute += std::abs(fresh.y[r] - predicted[r]) / 3000;
  }
  EXPECT_NEAR(std::sqrt(squares) / model.summary.accuracy->rmse, 1, 0.2);
  EXPECT_NEAR(absolute / model.summary.accuracy->mae, 1, 0.2);
}

// Features of few values: many rows are equal before the table is stacked, with other targets.
TEST(StatedError, OfDiscreteRowsStackedTwiceIsThatOfWeightTwo) {
  Rows once = made_up_rows(150, 2, 938);
  for (double& value : once.x) value = std::floor(3 * value);
  for (std::size_t r = 0; r < once.count; ++r) once.y[r] = std::round(3 * once.y[r]);
  std::vector<std::size_t> twice;
  for (std::size_t r = 0; r < 300; ++r) twice.push_back(r % 150);
  const Rows stacked = once.pick(twice);
  Rows weighted = once;
  weighted.weights.assign(once.count, 2.0);
  const Model by_copies = fit(stacked.source());
  const Model by_weight = fit(weighted.source());
  EXPECT_EQ(by_copies.coefficients, by_weight.coefficients);
  EXPECT_EQ(by_copies.summary.accuracy->rmse, by_weight.summary.accuracy->rmse);
  EXPECT_GE(by_copies.summary.equal_rows, 150U) << "the note counts all copies";
}

TEST(StatedError, OfATableStackedTwiceIsThatOfWeightTwo) {
  const Rows once = made_up_rows(90, 3, 929, 0.3);
  std::vector<std::size_t> twice;
  for (std::size_t copy = 0; copy < 2; ++copy)
    for (std::size_t r = 0; r < once.count; ++r) twice.push_back(r);
  const Rows stacked = once.pick(twice);
  Rows weighted = once;
  weighted.weights.assign(once.count, 2.0);
  const Model by_copies = fit(stacked.source());
  const Model by_weight = fit(weighted.source());
  EXPECT_EQ(by_copies.summary.equal_rows, 90U);
  EXPECT_EQ(by_weight.summary.equal_rows, 0U);
  EXPECT_NEAR(by_copies.summary.accuracy->rmse, by_weight.summary.accuracy->rmse, 1e-12);
  EXPECT_NEAR(by_copies.summary.loo, by_weight.summary.loo, 1e-12);
  EXPECT_EQ(by_copies.coefficients, by_weight.coefficients);
  const Model plain = fit(once.source());
  EXPECT_NEAR(by_copies.summary.accuracy->rmse / plain.summary.accuracy->rmse, 1, 0.3);
}

TEST(StatedError, DoesNotDependOnTheOrderOfRows) {
  const Rows rows = made_up_rows(120, 3, 931, 0.3);
  std::vector<std::size_t> backwards;
  for (std::size_t r = rows.count; r > 0; --r) backwards.push_back(r - 1);
  const Rows reversed = rows.pick(backwards);
  const Accuracy a = *fit(rows.source()).summary.accuracy;
  const Accuracy b = *fit(reversed.source()).summary.accuracy;
  EXPECT_NEAR(a.rmse, b.rmse, 1e-9);
  EXPECT_NEAR(a.mae, b.mae, 1e-9);
}

TEST(StatedError, OfAModelWithoutPenaltiesInALongTableIsThatOfItsOwnPredictions) {
  // Almost no noise, so that pairs with and without penalties have nearly the same leave-one-out error.
  for (std::uint64_t seed = 941; seed < 965; ++seed) {
    Rows rows = made_up_rows(2000, 5, seed);
    test::Uniform uniform(seed + 1);
    for (std::size_t r = 0; r < rows.count; ++r)
      rows.y[r] = 10 * std::sin(3.14159 * rows.at(r, 0) * rows.at(r, 1)) +
                  20 * std::pow(rows.at(r, 2) - 0.5, 2) + 10 * rows.at(r, 3) + 5 * rows.at(r, 4) +
                  0.05 * (uniform.between(-1, 1) + uniform.between(-1, 1) + uniform.between(-1, 1));
    Options options;
    options.pair_choice = PairChoice::given;
    options.pairs = {{0, 1}};
    const Model model = fit(rows.view(), rows.y, options);
    ASSERT_TRUE(model.summary.accuracy);
    EXPECT_GT(model.summary.accuracy->r2, 0.999) << seed;
  }
}

TEST(StatedError, IsThatOfLeaveOneOutWhereTheRefereeIsLeftOut) {
  const Rows rows = made_up_rows(100, 2, 933, 0.3);
  Options options;
  options.grown().folds = 1;
  const FitSummary summary = fit(rows.view(), rows.y, options).summary;
  EXPECT_EQ(summary.accuracy->how, AccuracySource::leave_one_out);
  EXPECT_NEAR(summary.accuracy->rmse, std::sqrt(summary.loo), 1e-9);
}

TEST(Predictions, FarOutsideTheRowsStayNearTheTargets) {
  Rows rows = made_up_rows(200, 2, 937);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = 3 * rows.at(r, 0) + rows.at(r, 1);
  const auto [lowest, highest] = std::ranges::minmax(rows.y);
  const double half = (highest - lowest) / 2;
  const std::vector<double> far{1000, 0.5, -1000, 0.5, 1.1, 0.5};
  const MatrixView points = MatrixView::row_major(far, 3, 2);
  const Model model = fit(rows.view(), rows.y);
  const std::vector<double> predicted = predict(model, points);
  EXPECT_DOUBLE_EQ(predicted[0], highest + half);
  EXPECT_DOUBLE_EQ(predicted[1], lowest - half);
  EXPECT_NEAR(predicted[2], 3.8, 1e-6) << "nearby, the line goes on";
  EXPECT_EQ(predict(model_from_bytes(to_bytes(model)), points), predicted);
  EXPECT_GT(std::abs(predict(fit(rows.view(), rows.y, Options::paper()), points)[0]), 1000)
      << "the published polynomials go on";
  Model upside_down = model;
  std::swap(upside_down.prediction_limits.lowest, upside_down.prediction_limits.highest);
  EXPECT_THROW(model_from_bytes(to_bytes(upside_down)), Error);
}

TEST(Curves, StayLevelOutsideTheirRowsWhereThereIsNoise) {
  Rows rows = made_up_rows(200, 1, 935);
  test::Uniform uniform(936);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = std::sin(5 * rows.at(r, 0)) + uniform.between(-1, 1);
  const Model noisy = fit(rows.view(), rows.y);
  EXPECT_EQ(noisy.extrapolation, Extrapolation::constant);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = std::sin(5 * rows.at(r, 0));
  EXPECT_EQ(fit(rows.view(), rows.y).extrapolation, Extrapolation::linear);
}

}  // namespace
}  // namespace kore
