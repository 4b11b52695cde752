// A few rows with extreme values harm nobody else, and those that decide their own prediction are named.
#include <gtest/gtest.h>

#include <cmath>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/noisy_rows.hpp"
#include "support/scattered_source.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::Rows;
using test::rows_of;
using test::ScatteredSource;
using test::StreamingSource;

double smooth(const auto& x) { return std::sin(6 * x(0)) + 2 * (x(1) - 0.5) * (x(2) - 0.5); }

double rmse(const Model& model, const Rows& rows) {
  const std::vector<double> predicted = predict(model, rows.view());
  double squares = 0;
  for (std::size_t r = 0; r < rows.count; ++r) squares += std::pow(predicted[r] - rows.y[r], 2);
  return std::sqrt(squares / static_cast<double>(rows.count));
}

/// Two rows whose first feature is far outside the range of the others. Their targets are nothing special.
Rows with_wild_rows(Rows rows) {
  rows.at(11, 0) = 100;
  rows.at(70, 0) = -60;
  return rows;
}

TEST(WildRows, HardlyChangeTheModelOfTheOthers) {
  for (const std::uint64_t seed : {991U, 993U, 995U}) {
    const auto target = [](const auto& x) { return smooth(x); };
    const Rows clean = rows_of(600, 3, seed, 0.2, target);
    const Rows fresh = rows_of(2000, 3, seed + 1, 0.0, target);
    const double without = rmse(fit(clean.source()), fresh);
    const Model model = fit(with_wild_rows(clean).source());
    EXPECT_LT(rmse(model, fresh), 1.15 * without) << "seed " << seed;
    EXPECT_LT(model.summary.max_leverage, near_one_leverage);
    EXPECT_LT(std::sqrt(model.summary.loo), 0.35) << "the noise has a deviation of 0.2";
  }
}

/// Row 1,234 alone has a two, where all others have a zero or a one, and a target that is far from theirs.
Rows with_a_row_of_its_own(std::size_t count) {
  Rows rows = rows_of(count, 3, 997, 0.1, [](const auto& x) { return smooth(x); });
  for (std::size_t r = 0; r < count; ++r) {
    rows.at(r, 2) = r % 2 == 0 ? 0 : 1;
    rows.y[r] += 2 * rows.at(r, 2);
  }
  rows.at(1234, 2) = 2;
  rows.y[1234] = 60;
  return rows;
}

Options with_category() {
  Options options;
  options.kinds = {FeatureKind::spline, FeatureKind::spline, FeatureKind::category};
  options.levels = {0, 0, 3};
  options.grown().max_order = 1;
  return options;
}

TEST(InfluentialRows, AreNamedWithTheirFeature) {
  const Rows rows = with_a_row_of_its_own(2000);
  const FitSummary summary = fit(rows.source(), with_category()).summary;
  EXPECT_EQ(summary.influential_count, 1U);
  ASSERT_EQ(summary.influential_rows.size(), 1U);
  const InfluentialRow& row = summary.influential_rows[0];
  EXPECT_EQ(row.row, 1234U);
  EXPECT_GT(row.leverage, 0.99);
  EXPECT_EQ(row.leverage, summary.max_leverage);
  EXPECT_EQ(row.features, std::vector<std::size_t>{2});
  EXPECT_EQ(row.values, std::vector<double>{2});
}

TEST(InfluentialRows, AreTheSameWhereverTheRowsAre) {
  const Rows rows = with_a_row_of_its_own(3000);
  for (const std::size_t structure_rows : {5000U, 500U}) {
    Options options = with_category();
    options.grown().structure_rows = structure_rows;
    const FitSummary here = fit(rows.source(), options).summary;
    const FitSummary streamed = fit(StreamingSource(rows), options).summary;
    const FitSummary scattered = fit(ScatteredSource(rows), options).summary;
    ASSERT_EQ(here.influential_rows.size(), 1U) << structure_rows;
    for (const FitSummary* other : {&streamed, &scattered}) {
      ASSERT_EQ(other->influential_rows.size(), 1U);
      EXPECT_EQ(other->influential_rows[0].row, 1234U);
      EXPECT_NEAR(other->influential_rows[0].leverage, here.influential_rows[0].leverage, 1e-9);
      EXPECT_EQ(other->influential_rows[0].features, here.influential_rows[0].features);
    }
  }
}

TEST(InfluentialRows, AreNotThereInACleanTable) {
  const Rows rows = rows_of(400, 3, 998, 0.1, [](const auto& x) { return smooth(x); });
  const FitSummary summary = fit(rows.source()).summary;
  EXPECT_EQ(summary.influential_count, 0U);
  EXPECT_TRUE(summary.influential_rows.empty());
}

/// The deviation of `rows` in a column.
double deviation(const Rows& rows, std::size_t column) {
  const std::vector<double> values = rows.column(column);
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += std::pow(value - mean, 2);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(WideningRates, AreTheVarianceOfTheEffectsOverThatOfTheErrors) {
  const Rows rows = rows_of(800, 2, 999, 0.5, [](const auto& x) { return 3 * x(0); });
  const Model model = fit(rows.source());
  EXPECT_LT(model.widening_rates[1], 0.1 * model.widening_rates[0]) << "a feature without an effect";
  double variance = 0;
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    for (const std::size_t j : model.design.terms()[t].features)
      if (j == 0) variance += model.effects[t].variance;
  EXPECT_NEAR(model.widening_rates[0],
              6.25 * variance / deviation(rows, 0) / std::pow(model.summary.accuracy->rmse, 2), 1e-9);
}

}  // namespace
}  // namespace kore
