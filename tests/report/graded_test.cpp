#include "report/graded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kore/response.hpp"
#include "report/made_up_family.hpp"
#include "report/observed.hpp"

namespace kore::report {
namespace {

using test::made_up_family;
using test::MadeUpModel;

/// Predictions of the rows of a fit, each left out.
std::vector<double> left_out_predictions(const MadeUpModel& made) {
  std::vector<double> predictions = made.rows.y;
  const std::vector<double> residuals = loo_residuals(made.rows.source(), made.fitted.model, 1);
  for (std::size_t r = 0; r < predictions.size(); ++r) predictions[r] -= residuals[r];
  return predictions;
}

class GradedFamilies : public testing::TestWithParam<Family> {
 protected:
  const MadeUpModel made = made_up_family(GetParam());
  const Model& model = made.fitted.model;
};

TEST_P(GradedFamilies, RowsOfTheFitAreRecognisedAndLeftOut) {
  const Observed seen = observe(made.rows.source(), model, 2);
  EXPECT_TRUE(seen.training);
  ASSERT_TRUE(seen.graded);
  const std::vector<double> predictions = left_out_predictions(made);
  const auto response = response_of(model);
  double deviance = 0;
  double squares = 0;
  for (std::size_t r = 0; r < made.rows.count; ++r) {
    deviance += response->loss(made.rows.y[r], response->link(predictions[r])) / 400;
    squares += std::pow(made.rows.y[r] - predictions[r], 2) / 400;
  }
  EXPECT_NEAR(seen.graded->deviance, deviance, 1e-9 * deviance);
  EXPECT_NEAR(seen.mean_square, squares, 1e-9 * squares);
  EXPECT_NEAR(seen.graded->deviance, model.summary.loo, 0.02 * model.summary.loo)
      << "but for the limits of predictions, which the fit does not know while it chooses";
  EXPECT_GT(seen.graded->explained(), 0);
}

TEST_P(GradedFamilies, NewRowsHavePlainPredictions) {
  const test::Rows fewer = made.rows.slice(0, 150);
  const Observed seen = observe(fewer.source(), model, 1);
  EXPECT_FALSE(seen.training);
  const std::vector<double> predictions = predict(model, fewer.view());
  const auto response = response_of(model);
  double deviance = 0;
  for (std::size_t r = 0; r < 150; ++r)
    deviance += response->loss(fewer.y[r], response->link(predictions[r])) / 150;
  EXPECT_NEAR(seen.graded->deviance, deviance, 1e-9 * deviance);
}

TEST_P(GradedFamilies, TenthsHoldEveryRowOnce) {
  const Observed seen = observe(made.rows.source(), model, 1);
  const std::vector<double> predictions = left_out_predictions(made);
  double weight = 0;
  double observed = 0;
  double predicted = 0;
  for (const Tenth& tenth : seen.graded->tenths) {
    weight += tenth.weight;
    observed += tenth.weight * tenth.observed;
    predicted += tenth.weight * tenth.predicted;
    EXPECT_NEAR(tenth.weight, 40, 12);
  }
  EXPECT_EQ(seen.graded->tenths.size(), 10U);
  EXPECT_DOUBLE_EQ(weight, 400);
  EXPECT_NEAR(observed, std::accumulate(made.rows.y.begin(), made.rows.y.end(), 0.0), 1e-9 * observed);
  EXPECT_NEAR(predicted, std::accumulate(predictions.begin(), predictions.end(), 0.0), 1e-9 * predicted);
  EXPECT_TRUE(std::ranges::is_sorted(seen.graded->tenths, {}, &Tenth::predicted));
}

INSTANTIATE_TEST_SUITE_P(Families, GradedFamilies,
                         testing::Values(Family::binomial, Family::poisson, Family::gamma,
                                         Family::negative_binomial));

TEST(Grading, AreaUnderRocCountsPairs) {
  const MadeUpModel made = made_up_family(Family::binomial);
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const std::vector<double> predictions = left_out_predictions(made);
  double won = 0;
  double pairs = 0;
  for (std::size_t yes = 0; yes < 400; ++yes)
    for (std::size_t no = 0; no < 400; ++no)
      if (made.rows.y[yes] == 1 && made.rows.y[no] == 0) {
        ++pairs;
        won += predictions[yes] > predictions[no] ? 1 : predictions[yes] == predictions[no] ? 0.5 : 0;
      }
  EXPECT_NEAR(area_under_roc(seen.graded->ranks), won / pairs, 2e-3) << "predictions are ranked in bins";
}

TEST(Grading, AreaOfEqualPredictionsIsOneHalf) {
  const YesAndNo all[]{{3, 7}};
  EXPECT_DOUBLE_EQ(area_under_roc(all), 0.5);
  const YesAndNo apart[]{{0, 7}, {3, 0}};
  EXPECT_DOUBLE_EQ(area_under_roc(apart), 1);
  const YesAndNo nothing[]{{0, 7}};
  EXPECT_TRUE(std::isnan(area_under_roc(nothing)));
}

/// The probability of a count by its formula.
double probability(const Model& model, double mean, double k) {
  if (model.family == "poisson") return std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
  const double theta = model.family_parameter;
  return std::exp(std::lgamma(k + theta) - std::lgamma(theta) - std::lgamma(k + 1) +
                  theta * std::log(theta / (theta + mean)) + k * std::log(mean / (theta + mean)));
}

class Counts : public testing::TestWithParam<Family> {};

TEST_P(Counts, AreObservedAndExpected) {
  const MadeUpModel made = made_up_family(GetParam());
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const std::vector<double> predictions = left_out_predictions(made);
  const std::vector<CountBin>& counts = seen.graded->counts;
  ASSERT_GT(counts.size(), 4U);
  double observed = 0;
  double expected = 0;
  for (const CountBin& bin : counts) {
    observed += bin.observed;
    expected += bin.expected;
    if (!std::isfinite(bin.last)) continue;
    double by_formula = 0;
    for (double k = bin.first; k <= bin.last; ++k)
      for (const double mean : predictions) by_formula += probability(made.fitted.model, mean, k);
    EXPECT_NEAR(bin.expected, by_formula, 1e-9 * by_formula) << bin.first;
    const auto rows =
        std::ranges::count_if(made.rows.y, [&](double y) { return y >= bin.first && y <= bin.last; });
    EXPECT_DOUBLE_EQ(bin.observed, static_cast<double>(rows)) << bin.first;
  }
  EXPECT_DOUBLE_EQ(observed, 400);
  EXPECT_NEAR(expected, 400, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Families, Counts, testing::Values(Family::poisson, Family::negative_binomial));

TEST(Counts, OfRatesAreFoundByTheirExposures) {
  const MadeUpModel made = made_up_family(Family::poisson, true);
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  ASSERT_TRUE(seen.training);
  ASSERT_FALSE(seen.graded->counts.empty());
  const auto none = std::ranges::count(made.rows.y, 0.0);
  EXPECT_DOUBLE_EQ(seen.graded->counts.front().observed, static_cast<double>(none));
  double rows = 0;
  for (const CountBin& bin : seen.graded->counts) rows += bin.observed;
  EXPECT_DOUBLE_EQ(rows, 400);
  EXPECT_TRUE(observe(made.rows.slice(0, 100).source(), made.fitted.model, 1).graded->counts.empty())
      << "the exposures of new rows are not known";
}

TEST(Counts, OfAmountsAreNotCounted) {
  const MadeUpModel made = made_up_family(Family::gamma);
  EXPECT_TRUE(observe(made.rows.source(), made.fitted.model, 1).graded->counts.empty());
}

}  // namespace
}  // namespace kore::report
