// Effects against their definition: values of the terms over the training rows.
#include <gtest/gtest.h>

#include <limits>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"
#include "support/unpenalised_options.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

/// Three features that are not independent, weights, and a pairwise target.
Rows correlated_rows() {
  Rows rows = made_up_rows(400, 3, 321);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 2) = 0.6 * rows.at(r, 0) + 0.4 * rows.at(r, 2);
  rows.weights = test::uneven_weights(rows.count, 322);
  return rows;
}

Model fitted(const Rows& rows, StructureChoice structure, Options options = {}) {
  options.structure = structure;
  if (structure != StructureChoice::additive) {
    options.pair_choice = PairChoice::given;
    options.pairs = {{0, 1}, {2, 1}};
  }
  return fit(rows.source(), options);
}

std::vector<double> point_of(const Model& model, std::size_t term, const Rows& rows, std::size_t row) {
  std::vector<double> point;
  for (const std::size_t j : model.design.terms()[term].features) point.push_back(rows.at(row, j));
  return point;
}

/// Values of a term at all rows.
std::vector<double> values_of(const Model& model, std::size_t term, const Rows& rows) {
  std::vector<double> values;
  for (std::size_t r = 0; r < rows.count; ++r)
    values.push_back(term_value(model, term, point_of(model, term, rows, r)));
  return values;
}

double mean_of(const std::vector<double>& values, const Rows& rows) {
  double sum = 0;
  double weight = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    sum += rows.block().weight(r) * values[r];
    weight += rows.block().weight(r);
  }
  return sum / weight;
}

double covariance_of(const std::vector<double>& a, const std::vector<double>& b, const Rows& rows) {
  const double mean_a = mean_of(a, rows);
  const double mean_b = mean_of(b, rows);
  std::vector<double> products;
  for (std::size_t r = 0; r < rows.count; ++r) products.push_back((a[r] - mean_a) * (b[r] - mean_b));
  return mean_of(products, rows);
}

void expect_effects_of_term_values(const Model& model, const Rows& rows, double tolerance) {
  const std::vector<double> predictions = predict(model, rows.view());
  const double total = covariance_of(predictions, predictions, rows);
  double covariance_shares = 0;
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    SCOPED_TRACE("term " + std::to_string(t));
    const std::vector<double> values = values_of(model, t, rows);
    const double variance = covariance_of(values, values, rows);
    EXPECT_NEAR(model.effects[t].variance, variance, tolerance * total);
    EXPECT_NEAR(model.effects[t].share, variance / total, tolerance);
    EXPECT_NEAR(model.effects[t].covariance_share, covariance_of(values, predictions, rows) / total,
                tolerance);
    covariance_shares += model.effects[t].covariance_share;
  }
  EXPECT_NEAR(covariance_shares, 1, tolerance);
}

void expect_sum_of_terms(const Model& model, const Rows& points, double tolerance) {
  const std::vector<double> predictions = predict(model, points.view());
  for (std::size_t r = 0; r < points.count; ++r) {
    double sum = anova_constant(model);
    for (std::size_t t = 0; t < model.design.terms().size(); ++t)
      sum += term_value(model, t, point_of(model, t, points, r));
    EXPECT_NEAR(sum, predictions[r], tolerance) << "row " << r;
  }
}

class EffectsOf : public testing::TestWithParam<StructureChoice> {};

TEST_P(EffectsOf, AddUpToThePrediction) {
  const Rows rows = correlated_rows();
  Rows outside = made_up_rows(50, 3, 323);
  for (double& value : outside.x) value = 2 * value - 0.5;
  for (const Options& profile : {Options{}, Options::paper()}) {
    const Model model = fitted(rows, GetParam(), profile);
    expect_sum_of_terms(model, rows, 1e-12);
    expect_sum_of_terms(model, outside, 1e-11);
  }
}

TEST_P(EffectsOf, AreCentredOverTheTrainingRows) {
  const Rows rows = correlated_rows();
  for (const Options& profile : {Options{}, Options::paper()}) {
    const Model model = fitted(rows, GetParam(), profile);
    for (std::size_t t = 0; t < model.design.terms().size(); ++t)
      if (model.design.terms()[t].order() == 1) {
        EXPECT_NEAR(mean_of(values_of(model, t, rows), rows), 0, 1e-12);
      }
  }
}

TEST_P(EffectsOf, HaveTheVariancesOfTheirValues) {
  const Rows rows = correlated_rows();
  expect_effects_of_term_values(fitted(rows, GetParam()), rows, 1e-9);
  expect_effects_of_term_values(fitted(rows, GetParam(), Options::paper()), rows, 1e-9);
}

TEST_P(EffectsOf, KeepTheirVariancesUnderALargeMean) {
  Rows rows = correlated_rows();
  for (double& y : rows.y) y += 1e6;
  expect_effects_of_term_values(fitted(rows, GetParam()), rows, 1e-9);
  expect_effects_of_term_values(fitted(rows, GetParam(), Options::paper()), rows, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Families, EffectsOf,
                         testing::Values(StructureChoice::additive, StructureChoice::pairwise),
                         [](const auto& test_case) {
                           return std::string(test_case.param == StructureChoice::additive ? "Additive"
                                                                                           : "Pairwise");
                         });

TEST(Effects, OfAPairHaveMeanZeroAlongEachCoordinate) {
  const Rows rows = correlated_rows();
  const Model model = fitted(rows, StructureChoice::pairwise);
  ASSERT_GE(model.design.terms().size(), 4U);  // a pair of which nothing is left is not among them
  for (std::size_t t = 3; t < model.design.terms().size(); ++t)
    for (const std::size_t fixed : {0U, 1U})
      for (const double at : {0.05, 0.3, 0.77}) {
        std::vector<double> values;
        for (std::size_t r = 0; r < rows.count; ++r) {
          std::vector<double> point = point_of(model, t, rows, r);
          point[fixed] = at;
          values.push_back(term_value(model, t, point));
        }
        EXPECT_NEAR(mean_of(values, rows), 0, 1e-12)
            << "term " << t << ", coordinate " << fixed << " at " << at;
      }
}

TEST(Effects, OfAPairAreThoseOfTheInteraction) {
  // A pure product of centred factors has no main effects to hide in.
  Rows rows = made_up_rows(3000, 2, 324);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = 5 + (rows.at(r, 0) - 0.5) * (rows.at(r, 1) - 0.5);
  Options options;
  options.structure = StructureChoice::pairwise;
  const Model model = fit(rows.view(), rows.y, options);
  EXPECT_NEAR(anova_constant(model), 5, 2e-3);
  EXPECT_GT(model.effects[2].covariance_share, 0.95);
  const double point[] = {0.9, 0.2};
  EXPECT_NEAR(term_value(model, 2, point), 0.4 * -0.3, 2e-2);
}

TEST(Effects, OfAnUnusedFeatureVanish) {
  Rows rows = made_up_rows(500, 2, 325);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = std::sin(3 * rows.at(r, 0));
  const Rows wider = rows.with_column(1, std::vector<double>(rows.count, 8.0));
  Options options;
  options.structure = StructureChoice::additive;
  const Model grown = fit(wider.view(), wider.y, options);
  ASSERT_EQ(grown.design.terms().size(), 2U);  // none for the constant
  EXPECT_EQ(grown.design.terms()[1].features, (std::vector<std::size_t>{2}));
  EXPECT_LT(grown.effects[1].share, 1e-12);
  EXPECT_NEAR(grown.effects[0].covariance_share, 1, 1e-6);
  const Model model = fit(wider.view(), wider.y, test::unpenalised(options));
  EXPECT_EQ(model.effects[1].variance, 0);
  EXPECT_EQ(model.effects[1].share, 0);
  EXPECT_EQ(model.effects[1].covariance_share, 0);
  EXPECT_LT(model.effects[2].share, 1e-4);
  EXPECT_NEAR(model.effects[0].covariance_share, 1, 1e-3);
  const double anywhere[] = {123.0};
  EXPECT_EQ(term_value(model, 1, anywhere), 0);
}

TEST(TermValue, RefusesATermOrAPointThatDoesNotExist) {
  const Rows rows = correlated_rows();
  const Model model = fitted(rows, StructureChoice::pairwise);
  const std::vector<double> one{0.5};
  const std::vector<double> two{0.5, 0.5};
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { term_value(model, 5, one); }),
            "There is no term 5 with 1 features in the model.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { term_value(model, 0, two); }),
            "There is no term 0 with 2 features in the model.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { term_value(model, 3, one); }),
            "There is no term 3 with 1 features in the model.");
}

TEST(TermValue, IsNeverNan) {
  const Rows rows = correlated_rows();
  Model model = fitted(rows, StructureChoice::pairwise);
  const std::string sentence =
      "The effect is not a finite number at this point: a value is not finite, or lies too far outside the "
      "training "
      "range.";
  const std::vector<double> missing{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { term_value(model, 0, missing); }), sentence);
  model.extrapolation = Extrapolation::linear;
  const std::vector<double> far{1.7e308, -1.7e308};
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { term_value(model, 3, far); }), sentence);
}

TEST(TermValue, OutsideTheRangeIsRefusedWhereTheModelForbidsIt) {
  const Rows rows = correlated_rows();
  Options options;
  options.extrapolation = Extrapolation::error;
  options.ranges = {{0, 1}, {0, 1}, {0, 1}};
  const Model model = fitted(rows, StructureChoice::additive, options);
  const std::vector<double> outside{1.25};
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { term_value(model, 0, outside); }),
            "The value 1.25 lies outside the training range [0, 1].");
}

}  // namespace
}  // namespace kore
