// What left-out rows say by their prediction, and whether intervals hold for them.
#include "fit/prediction_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

/// Predictions 0, 1, 2, ... with uniform errors, that are `times` as large where `wild` says so.
HeldOut rows_with(std::size_t count, double times, const auto& wild) {
  HeldOut rows;
  test::Uniform uniform(77);
  for (std::size_t r = 0; r < count; ++r) {
    const auto prediction = static_cast<double>(r * 7 % count);
    rows.add(prediction + (wild(prediction) ? times : 1) * uniform.between(-1, 1), prediction, 1);
  }
  return rows;
}

Model knowing(const HeldOut& rows) {
  Model model{Design({{"a", {0, 1}}}, {{{0}, {1}}}, 3, Parametrisation::centred),
              {},
              0,
              {},
              "",
              {},
              {},
              {},
              {},
              {},
              {}};
  model.residual_spread = spread_of(rows);
  model.residual_quantiles = error_quantiles(rows, model.residual_spread);
  return model;
}

TEST(PredictionGroups, AreTenPartsByRisingPrediction) {
  const HeldOut rows = rows_with(1000, 1, [](double) { return false; });
  const std::vector<PredictionGroup> groups = prediction_groups({rows, {}}, knowing(rows));
  ASSERT_EQ(groups.size(), 10U);
  for (std::size_t g = 0; g < 10; ++g) {
    // The same by hand: predictions are 0 to 999, each once.
    double observed = 0;
    double squares = 0;
    std::vector<double> targets;
    for (std::size_t r = 0; r < 1000; ++r) {
      if (static_cast<std::size_t>(rows.prediction[r]) / 100 != g) continue;
      observed += rows.target[r] / 100;
      squares += std::pow(rows.target[r] - rows.prediction[r], 2) / 100;
      targets.push_back(rows.target[r]);
    }
    std::ranges::sort(targets);
    EXPECT_EQ(groups[g].weight, 100);
    EXPECT_NEAR(groups[g].predicted, 100.0 * static_cast<double>(g) + 49.5, 1e-9);
    EXPECT_NEAR(groups[g].observed, observed, 1e-9);
    EXPECT_NEAR(groups[g].rmse, std::sqrt(squares), 1e-9);
    EXPECT_EQ(groups[g].low, targets[10]);
    EXPECT_EQ(groups[g].high, targets[89]);
    EXPECT_NEAR(groups[g].covered, 0.9, 0.11);
  }
}

TEST(PredictionGroups, TellWhereIntervalsFail) {
  // Rare wild errors in one tenth: the spread is drawn towards that of all, and intervals are too narrow.
  const HeldOut rows = rows_with(200, 30, [](double prediction) { return prediction >= 180; });
  const std::vector<PredictionGroup> groups = prediction_groups({rows, {}}, knowing(rows));
  ASSERT_EQ(groups.size(), 10U);
  EXPECT_LT(groups.back().covered, 0.75);
  EXPECT_GT(groups.front().covered, 0.85);
}

TEST(PredictionGroups, AreFewerWhereRowsAreFewAndNoneWhereTheyAreTooFew) {
  const auto calm = [](double) { return false; };
  const HeldOut some = rows_with(70, 1, calm);
  EXPECT_EQ(prediction_groups({some, {}}, knowing(some)).size(), 3U);
  const HeldOut few = rows_with(30, 1, calm);
  EXPECT_TRUE(prediction_groups({few, {}}, knowing(few)).empty());
}

TEST(PredictionGroups, OfAFitAreInUnitsOfTheTarget) {
  test::Rows rows = test::made_up_rows(400, 3, 951, 0.2);
  for (double& y : rows.y) y = 5000 + 300 * y;
  const Model model = fit(rows.view(), rows.y);
  ASSERT_TRUE(model.summary.accuracy);
  const std::vector<PredictionGroup>& groups = model.summary.accuracy->by_prediction;
  ASSERT_EQ(groups.size(), 10U);
  double squares = 0;
  double mean = 0;
  for (const PredictionGroup& group : groups) {
    squares += group.weight * group.rmse * group.rmse;
    mean += group.weight * group.observed;
    EXPECT_FALSE(std::isnan(group.covered));
  }
  EXPECT_NEAR(std::sqrt(squares / 400), model.summary.accuracy->rmse, 1e-6 * model.summary.accuracy->rmse);
  EXPECT_NEAR(mean / 400, model.summary.target_mean, 1e-6 * std::abs(model.summary.target_mean));
}

}  // namespace
}  // namespace kore
