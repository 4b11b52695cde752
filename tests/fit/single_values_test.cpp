// Single values of a number, from the rows to the prediction and the file.
#include <gtest/gtest.h>

#include <cmath>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

/// A number of two hundred values, each special beside a smooth curve.
double truth(double value, double other) {
  const double scattered = std::fmod(value * value * 0.6180339887, 1) - 0.5;
  return std::sin(value / 40) + scattered + other;
}

Rows special_rows(std::size_t count, std::uint64_t seed, double noise) {
  Rows rows = made_up_rows(count, 2, seed);
  test::Uniform random(seed + 1);
  for (std::size_t r = 0; r < count; ++r) {
    rows.at(r, 0) = std::floor(200 * rows.at(r, 0));
    rows.y[r] = truth(rows.at(r, 0), rows.at(r, 1)) + noise * random.between(-1, 1);
  }
  return rows;
}

double error(const Model& model, const Rows& fresh) {
  const std::vector<double> predicted = predict(model, fresh.view());
  double squares = 0;
  for (std::size_t r = 0; r < fresh.count; ++r)
    squares += std::pow(predicted[r] - truth(fresh.at(r, 0), fresh.at(r, 1)), 2);
  return std::sqrt(squares / static_cast<double>(fresh.count));
}

bool has_value_effects(const Model& model) {
  return std::ranges::any_of(model.design.terms(), [](const Term& term) { return term.by_value(); });
}

TEST(SingleValues, ThatAreSpecialArePredicted) {
  const Rows rows = special_rows(2000, 81, 0.3);
  const Model model = fit(rows.source());
  ASSERT_TRUE(has_value_effects(model));
  EXPECT_LT(error(model, special_rows(500, 91, 0)), 0.1);  // a curve alone leaves 0.29
  for (const Effect& effect : model.effects) EXPECT_FALSE(std::isnan(effect.p_value));
}

TEST(SingleValues, ThatTrainingDidNotHaveFollowTheCurve) {
  const Model model = fit(special_rows(2000, 81, 0.3).source());
  const std::vector<double> between{100.5, 0.5};
  const double predicted = predict(model, MatrixView::row_major(between, 1, 2))[0];
  EXPECT_NEAR(predicted, std::sin(100.5 / 40) + 0.5, 0.25);
}

TEST(SingleValues, OfALongTableComeFromItsSample) {
  const Rows rows = special_rows(9000, 83, 0.3);
  const Model model = fit(rows.source());
  ASSERT_TRUE(has_value_effects(model));
  EXPECT_LT(error(model, special_rows(500, 92, 0)), 0.06);
  Options one;
  one.threads = 1;
  EXPECT_EQ(fit(rows.source(), one).coefficients, model.coefficients);
}

TEST(SingleValues, SurviveTheFile) {
  const Rows rows = special_rows(1500, 85, 0.3);
  const Model model = fit(rows.source());
  ASSERT_TRUE(has_value_effects(model));
  const Model loaded = model_from_bytes(to_bytes(model));
  EXPECT_EQ(predict(loaded, rows.view()), predict(model, rows.view()));
  EXPECT_EQ(loaded.design.features()[0].repeated, model.design.features()[0].repeated);
}

TEST(SingleValues, AreNoPartOfAModelThatACurveExplains) {
  Rows rows = special_rows(1200, 87, 0.3);
  test::Uniform random(88);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = std::sin(rows.at(r, 0) / 40) + rows.at(r, 1) + 0.3 * random.between(-1, 1);
  const Model model = fit(rows.source());
  EXPECT_FALSE(has_value_effects(model));
  EXPECT_TRUE(model.design.features()[0].repeated.empty());  // a model keeps the values that it uses
}

}  // namespace
}  // namespace kore
