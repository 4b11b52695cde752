// Prediction intervals against the residuals of left-out rows that they come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

std::vector<double> sorted_residuals(const Rows& rows, const Model& model) {
  std::vector<double> residuals = loo_residuals(rows.source(), model);
  std::sort(residuals.begin(), residuals.end());
  return residuals;
}

/// The published method: one spread everywhere, and residuals of leave-one-out given the model.
Options published() { return Options::paper(); }

TEST(Intervals, OfThePublishedMethodComeFromTheSortedLeaveOneOutResiduals) {
  const Rows rows = made_up_rows(300, 2, 461);
  const Model model = fit(rows.view(), rows.y, published());
  const std::vector<double> residuals = sorted_residuals(rows, model);
  ASSERT_EQ(model.residual_quantiles.size(), residuals.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    EXPECT_NEAR(model.residual_quantiles[i], residuals[i], 1e-9) << i;
}

TEST(Intervals, LieBetweenTheKthSmallestAndTheKthLargestResidual) {
  const Rows rows = made_up_rows(100, 1, 462);
  const Model model = fit(rows.view(), rows.y, published());
  const std::vector<double> residuals = sorted_residuals(rows, model);
  // A new residual lies below the k-th smallest of n others with probability k / (n + 1).
  for (const auto& [level, k] : {std::pair{0.9, 5}, {0.8, 10}, {0.5, 25}, {0.97, 1}}) {
    const IntervalOffsets offsets = interval_offsets(model, level);
    EXPECT_NEAR(offsets.lower, residuals[static_cast<std::size_t>(k - 1)], 1e-9) << level;
    EXPECT_NEAR(offsets.upper, residuals[static_cast<std::size_t>(100 - k)], 1e-9) << level;
  }
  EXPECT_NEAR(interval_offsets(model, 0.9999).lower, residuals.front(), 1e-9);  // more than the rows can tell
  EXPECT_NEAR(interval_offsets(model, 0.9999).upper, residuals.back(), 1e-9);
  EXPECT_NEAR(largest_level(model), 99.0 / 101, 1e-12);
}

TEST(Intervals, AreThoseOfTheRowsThatStateTheError) {
  const Rows rows = made_up_rows(120, 2, 469);
  const Model model = fit(rows.view(), rows.y);
  ASSERT_EQ(model.residual_quantiles.size(), rows.count);
  EXPECT_EQ(rows_behind_intervals(model), 120);
  EXPECT_EQ(model.summary.accuracy->how, AccuracySource::folds);
  EXPECT_TRUE(std::is_sorted(model.residual_quantiles.begin(), model.residual_quantiles.end()));
}

TEST(Intervals, FollowASpreadThatGrowsWithThePrediction) {
  Rows rows = made_up_rows(800, 1, 470);
  test::Uniform uniform(471);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const double x = rows.at(r, 0);
    rows.y[r] = 4 * x + (0.05 + x) * uniform.between(-1, 1);
  }
  const Model model = fit(rows.view(), rows.y);
  const double low = model.residual_spread(0.4);
  const double high = model.residual_spread(3.6);
  EXPECT_NEAR(high / low, 0.95 / 0.15, 3);
  EXPECT_EQ(model.residual_spread(-100), model.residual_spread.scales.front());
  EXPECT_EQ(model.residual_spread(100), model.residual_spread.scales.back());
}

TEST(Intervals, CoverNewRowsAtTheirLevel) {
  const Rows rows = made_up_rows(2000, 2, 463);
  const Rows fresh = made_up_rows(4000, 2, 464);
  const Model model = fit(rows.view(), rows.y);
  const std::vector<double> predictions = predict(model, fresh.view());
  for (const double level : {0.5, 0.8, 0.95}) {
    const IntervalOffsets offsets = interval_offsets(model, level);
    int inside = 0;
    for (std::size_t r = 0; r < fresh.count; ++r) {
      const double residual = (fresh.y[r] - predictions[r]) / model.residual_spread(predictions[r]);
      if (residual >= offsets.lower && residual <= offsets.upper) ++inside;
    }
    // Both samples are finite: four standard deviations of the share in 2000 and 4000 rows.
    const double deviation = std::sqrt(level * (1 - level) * (1.0 / 2000 + 1.0 / 4000));
    EXPECT_NEAR(inside / 4000.0, level, 4 * deviation) << level;
  }
}

TEST(Intervals, OfALongTableComeFromRowsThatTookPartInNoChoice) {
  const Rows rows = made_up_rows(12000, 1, 466);
  const Model model = fit(rows.view(), rows.y);
  EXPECT_EQ(model.summary.accuracy->how, AccuracySource::unseen_rows);
  EXPECT_EQ(model.summary.accuracy->rows, 5000U);
  EXPECT_EQ(model.summary.structure_rows, 5000U);
  ASSERT_EQ(model.residual_quantiles.size(), 4096U);
  EXPECT_NEAR(model.summary.accuracy->rmse, std::sqrt(model.summary.loo),
              0.05 * std::sqrt(model.summary.loo));
}

TEST(Intervals, OfAConstantTargetHaveNoWidth) {
  Rows rows = made_up_rows(30, 1, 467);
  rows.y.assign(rows.count, 2.0);
  const IntervalOffsets offsets = interval_offsets(fit(rows.view(), rows.y), 0.9);
  EXPECT_EQ(offsets.lower, 0);
  EXPECT_EQ(offsets.upper, 0);
}

/// Of counts, with a mean that a model may give for rows far outside, or one that somebody made up.
TEST(Intervals, OfCountsAreThereForEveryMean) {
  const Rows rows = made_up_rows(50, 1, 469);
  Model model = fit(rows.view(), rows.y);
  for (const char* family : {"poisson", "negative_binomial"})
    for (const double dispersion : {1.0, 1.5, 1e6, 1e300})
      for (const double mean : {1e-300, 1e-3, 1.0, 1e3, 1e9, 1e12, 1e17, 1e20, 1e100, 1e300}) {
        model.family = family;
        model.family_parameter = model.family == "poisson" ? 0 : dispersion;
        model.summary.overdispersion = dispersion;
        const TargetInterval interval = interval_around(model, {0, 0, 0.9}, mean);
        EXPECT_GE(interval.lower, 0) << family << " " << dispersion << " " << mean;
        EXPECT_LE(interval.lower, interval.upper) << family << " " << dispersion << " " << mean;
        EXPECT_FALSE(std::isnan(interval.upper)) << family << " " << dispersion << " " << mean;
      }
  // On both sides of the mean beyond which counts are not whole numbers any more, intervals are as wide.
  for (const auto& [family, parameter] :
       {std::pair{"poisson", 0.0}, {"negative_binomial", 3.0}, {"negative_binomial", 1e8}}) {
    model.family = family;
    model.family_parameter = parameter;
    model.summary.overdispersion = 1;
    const TargetInterval below = interval_around(model, {0, 0, 0.9}, 0.9999e9);
    const TargetInterval above = interval_around(model, {0, 0, 0.9}, 1.0001e9);
    EXPECT_NEAR((above.upper - above.lower) / (below.upper - below.lower), 1, 3e-4)
        << family << " " << parameter;
    EXPECT_NEAR(above.upper - below.upper, 2e5, 200 + 3e-4 * below.upper) << family << " " << parameter;
  }
}

TEST(Intervals, AreRefusedWhereThereAreNone) {
  const Rows rows = made_up_rows(50, 1, 468);
  Options options;
  options.intervals = false;
  const Model without = fit(rows.view(), rows.y, options);
  EXPECT_TRUE(without.residual_quantiles.empty());
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { interval_offsets(without, 0.9); }),
            "The model was fitted without intervals, so it cannot give any. Fit it again with them.");
  const Model with = fit(rows.view(), rows.y);
  for (const double level : {0.0, 1.0, -0.5, std::nan("")})
    EXPECT_TRUE(refusal(ErrorCode::invalid_argument, [&] {
                  interval_offsets(with, level);
                }).ends_with("; it must lie between 0 and 1, for example 0.9."));
}

}  // namespace
}  // namespace kore
