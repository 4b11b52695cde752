// Rows outside the training range: how they are found, and how their intervals widen.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/bytes.hpp"
#include "kore/fit.hpp"
#include "model/outside_section.hpp"
#include "support/made_up_rows.hpp"
#include "support/noisy_rows.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::refusal;
using test::Rows;

/// Two curves and a category of three levels.
Model made_up_model() {
  Rows rows = test::rows_of(300, 3, 981, 0.2, [](const auto& x) { return std::sin(5 * x(0)) + x(1); });
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 1) *= 10;
    rows.at(r, 2) = static_cast<double>(r % 3);
  }
  Options options;
  options.kinds = {FeatureKind::spline, FeatureKind::spline, FeatureKind::category};
  options.levels = {0, 0, 3};
  return fit(rows.source(), options);
}

TEST(Outside, IsADistanceFromTheRangeInTheUnitsOfTheFeature) {
  const Feature feature{"x", {2, 5}, FeatureKind::spline};
  EXPECT_EQ(distance_outside(feature, 1.5), 0.5);
  EXPECT_EQ(distance_outside(feature, 9), 4);
  for (const double inside : {2.0, 3.3, 5.0}) EXPECT_EQ(distance_outside(feature, inside), 0);
}

TEST(Outside, IsNoLevelAndNoValueOfAFeatureThatDidNotVary) {
  EXPECT_EQ(distance_outside({"level", {0, 2}, FeatureKind::category, 3}, 7), 0);
  EXPECT_EQ(distance_outside({"constant", {4, 4}, FeatureKind::spline}, 7), 0);
}

TEST(Outside, CountsTheFeaturesOfEachRow) {
  const Model model = made_up_model();
  const std::array rows{0.5, 5.0, 0.0, -3.0, 5.0, 9.0, -3.0, 99.0, 1.0};
  EXPECT_EQ(outside_count(model, MatrixView::row_major(rows, 3, 3)), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Widening, IsOneInsideAndItsSquareGrowsWithTheDistanceOutside) {
  const Model model = made_up_model();
  ASSERT_EQ(model.widening_rates.size(), 3U);
  EXPECT_GT(model.widening_rates[0], 0);
  EXPECT_EQ(model.widening_rates[2], 0) << "a level has no distance";
  const std::array rows{0.5, 5.0, 0.0, -1.0, 5.0, 0.0, -1.0, 30.0, 0.0};
  const std::vector<double> factors = widening(model, MatrixView::row_major(rows, 3, 3));
  EXPECT_EQ(factors[0], 1);
  const auto& features = model.design.features();
  const double first = model.widening_rates[0] * (features[0].range.lowest + 1);
  const double second = model.widening_rates[1] * (30 - features[1].range.highest);
  EXPECT_NEAR(factors[1], std::sqrt(1 + first), 1e-12);
  EXPECT_NEAR(factors[2], std::sqrt(1 + first + second), 1e-12);
}

TEST(Widening, IsOneWhereTheModelHasNoRates) {
  Model model = made_up_model();
  model.widening_rates.clear();
  EXPECT_EQ(widening(model, MatrixView::row_major(std::array{-9.0, 99.0, 0.0}, 1, 3)),
            std::vector<double>{1.0});
}

TEST(Widening, OfThePublishedMethodIsOne) {
  const Rows rows = test::made_up_rows(100, 2, 982);
  EXPECT_TRUE(fit(rows.view(), rows.y, Options::paper()).widening_rates.empty());
}

TEST(Widening, NeedsAColumnForEachFeature) {
  const Model model = made_up_model();
  const MatrixView two = MatrixView::row_major(std::array{0.5, 0.5}, 1, 2);
  EXPECT_NE(refusal(ErrorCode::invalid_data, [&] { widening(model, two); }), "");
  EXPECT_NE(refusal(ErrorCode::invalid_data, [&] { outside_count(model, two); }), "");
}

/// A model with everything that its section can hold.
Model told_model() {
  Model model = made_up_model();
  model.summary.stages.back().all_rows_loo = 0.25;
  model.summary.influential_count = 12;
  model.summary.influential_rows = {{24'067, 0.998, {1, 0}, {58.9, 0.25}}, {7, 0.91}};
  return model;
}

TEST(OutsideSection, ComesBackFromAFile) {
  const Model model = told_model();
  const Model back = model_from_bytes(to_bytes(model));
  EXPECT_EQ(back.widening_rates, model.widening_rates);
  EXPECT_EQ(back.summary.stages.back().all_rows_loo, 0.25);
  EXPECT_TRUE(std::isnan(back.summary.stages.front().all_rows_loo));
  EXPECT_EQ(back.summary.influential_count, 12U);
  ASSERT_EQ(back.summary.influential_rows.size(), 2U);
  EXPECT_EQ(back.summary.influential_rows[0].row, 24'067U);
  EXPECT_EQ(back.summary.influential_rows[0].leverage, 0.998);
  EXPECT_EQ(back.summary.influential_rows[0].features, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(back.summary.influential_rows[0].values, (std::vector<double>{58.9, 0.25}));
  EXPECT_TRUE(back.summary.influential_rows[1].features.empty());
}

void expect_refused(const Model& told) {
  ByteWriter out;
  write_outside(out, told);
  Model model = made_up_model();
  ByteReader in(out.bytes());
  EXPECT_NE(refusal(ErrorCode::corrupt_file, [&] { read_outside(in, model); }), "");
}

TEST(OutsideSection, OfAnotherModelIsRefused) {
  Model model = told_model();
  model.widening_rates.pop_back();
  expect_refused(model);
  model = told_model();
  model.widening_rates[0] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(model);
  model = told_model();
  model.widening_rates[0] = -1;
  expect_refused(model);
  model = told_model();
  model.summary.stages.pop_back();
  expect_refused(model);
  model = told_model();
  model.summary.influential_rows[0].features[0] = 3;
  expect_refused(model);
  model = told_model();
  model.summary.influential_rows[0].values.pop_back();
  expect_refused(model);
}

}  // namespace
}  // namespace kore
