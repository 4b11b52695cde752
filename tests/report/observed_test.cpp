#include "report/observed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/made_up_model.hpp"
#include "support/streaming_source.hpp"

namespace kore::report {
namespace {

using test::made_up_model;
using test::MadeUpModel;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

class ObservedRows : public testing::TestWithParam<bool> {
 protected:
  const MadeUpModel made = made_up_model(GetParam());
  const Model& model = made.fitted.model;
};

TEST_P(ObservedRows, OfTheFitAreRecognisedAndLeftOut) {
  const Observed seen = observe(made.rows.source(), model, 2);
  EXPECT_TRUE(seen.training);
  EXPECT_EQ(seen.rows, made.rows.count);
  EXPECT_NEAR(seen.mean_square, model.summary.loo, 1e-6 * model.summary.loo);
  EXPECT_NEAR(seen.target_variance, model.summary.target_variance, 1e-9 * model.summary.target_variance);
  EXPECT_DOUBLE_EQ(sum(seen.leverages.counts), 240) << "every row has a leverage up to the largest";
}

TEST_P(ObservedRows, LargestErrorsAreThoseOfLeaveOneOut) {
  const Observed seen = observe(made.rows.source(), model, 2);
  const std::vector<double> residuals = loo_residuals(made.rows.source(), model, 2);
  const auto worst = std::ranges::max_element(residuals, {}, [](double e) { return std::abs(e); });
  ASSERT_EQ(seen.largest.size(), 10U);
  const LargeError& first = seen.largest.front();
  EXPECT_EQ(first.row, static_cast<std::size_t>(worst - residuals.begin()) + 1);
  EXPECT_NEAR(first.observed - first.predicted, *worst, 1e-9);
  EXPECT_EQ(first.features[1], made.rows.at(first.row - 1, 1));
  EXPECT_DOUBLE_EQ(seen.error_quantiles.back(), *std::ranges::max_element(residuals));
}

TEST_P(ObservedRows, AreCountedOncePerFeatureAndPair) {
  const Observed seen = observe(made.rows.source(), model, 1);
  for (const Histogram& data : seen.data) EXPECT_DOUBLE_EQ(sum(data.counts), 240);
  for (const std::vector<ErrorBin>& bins : seen.feature_bins) {
    double weight = 0;
    for (const ErrorBin& bin : bins) weight += bin.weight;
    EXPECT_DOUBLE_EQ(weight, 240);
  }
  for (std::size_t t = 0; t < model.design.terms().size(); ++t)
    EXPECT_DOUBLE_EQ(sum(seen.surfaces[t]), model.design.terms()[t].order() == 2 ? 240 : 0);
  EXPECT_DOUBLE_EQ(sum(seen.by_fitted.counts) + seen.by_fitted.outside, 240);
}

TEST_P(ObservedRows, FillIntervalsOnTheWholeAsPromised) {
  const Observed seen = observe(made.rows.source(), model, 1);
  ASSERT_FALSE(seen.coverage.empty());
  for (const Coverage& at : seen.coverage) {
    // Intervals rest on rows left out of everything, whose errors are larger than those given the model.
    EXPECT_NEAR(at.covered, at.level, 0.06);
    EXPECT_GT(at.width, 0);
  }
}

TEST_P(ObservedRows, ThatAreNewHavePlainErrors) {
  const test::Rows fewer = made.rows.slice(0, 100);
  const Observed seen = observe(fewer.source(), model, 1);
  EXPECT_FALSE(seen.training);
  EXPECT_TRUE(seen.leverages.counts.empty());
  const std::vector<double> predictions = predict(model, fewer.view());
  double squares = 0;
  for (std::size_t r = 0; r < 100; ++r) squares += std::pow(fewer.y[r] - predictions[r], 2);
  EXPECT_NEAR(seen.mean_square, squares / 100, 1e-12);
}

TEST_P(ObservedRows, WithOtherTargetsAreNotThoseOfTheFit) {
  test::Rows other = made.rows;
  for (double& y : other.y) y = -y;
  EXPECT_FALSE(observe(other.source(), model, 1).training);
}

TEST_P(ObservedRows, ReadInBlocksOrByMoreThreadsTellTheSame) {
  const Observed whole = observe(made.rows.source(), model, 1);
  const Observed threads = observe(made.rows.source(), model, 3);
  EXPECT_EQ(whole.mean_square, threads.mean_square);
  EXPECT_EQ(whole.error_quantiles, threads.error_quantiles);
  const test::StreamingSource streamed(made.rows);
  const Observed blocks = observe(streamed, model, 1);
  EXPECT_TRUE(blocks.training);
  EXPECT_NEAR(whole.mean_square, blocks.mean_square, 1e-12 * whole.mean_square);
  EXPECT_EQ(whole.data[0].counts, blocks.data[0].counts);
  EXPECT_EQ(whole.largest.front().row, blocks.largest.front().row);
}

INSTANTIATE_TEST_SUITE_P(Profiles, ObservedRows, testing::Bool(),
                         [](const auto& profile) { return profile.param ? "paper" : "standard"; });

TEST(Overlaps, NameTermsThatSayTheSame) {
  test::Uniform uniform(3);
  test::Rows rows{400, 2, std::vector<double>(800), {}, {}};
  for (std::size_t r = 0; r < 400; ++r) {
    rows.at(r, 0) = uniform();
    rows.at(r, 1) = rows.at(r, 0) + 0.3 * uniform();
    rows.y.push_back(rows.at(r, 0) + rows.at(r, 1) + 0.01 * uniform());
  }
  const Model model = fit(rows.source(), Options{}, {{"a", "b"}, "y"});
  const Observed seen = observe(rows.source(), model, 1);
  ASSERT_FALSE(seen.overlaps.empty());
  // Both effects are the straight lines they were made of, so that they are as correlated as the features.
  EXPECT_NEAR(seen.overlaps.front().correlation, 0.957, 0.02);
}

}  // namespace
}  // namespace kore::report
