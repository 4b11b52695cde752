// Predictions against dense evaluation of the model's functions.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::mixed_rows;
using test::refusal;
using test::Rows;

/// A model with a term of every order and coefficients out of the air.
Model made_up_model(int degree, Extrapolation extrapolation = Extrapolation::linear) {
  const Rows rows = made_up_rows(30, 2, 301);
  Model model = fit(rows.view(), rows.y);
  model.design = test::mixed_design(degree);
  model.widening_rates.clear();
  model.purified.reset();
  model.extrapolation = extrapolation;
  model.intercept = 0.75;
  model.prediction_limits = {-std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::infinity()};
  test::Uniform uniform(302);
  model.coefficients.resize(model.design.raw_columns());
  for (double& c : model.coefficients) c = uniform.between(-1, 1);
  model.effects.assign(model.design.terms().size(), {});
  return model;
}

/// The functions of a coordinate at a point, continued as the extrapolation says.
test::Vector functions_at(const Design& design, std::size_t term, std::size_t coordinate, double point,
                          Extrapolation outside) {
  const Feature& feature = design.features()[design.terms()[term].features[coordinate]];
  if (feature.kind == FeatureKind::category) return test::dense_functions(design, term, coordinate, point);
  const UniformBasis& basis = design.basis(term, coordinate);
  const test::Real x = test::warped(feature.warp, point);
  const test::Real nearest = std::clamp<test::Real>(x, basis.knots().first, basis.knots().last);
  if (outside == Extrapolation::continue_polynomial) return test::dense_splines(basis, x);
  test::Vector value = test::dense_splines(basis, nearest);
  if (outside == Extrapolation::linear && x != nearest) {
    // The tangent, by a central difference within the boundary's polynomial piece.
    const double step = 0x1p-20;
    const test::Vector after = test::dense_splines(basis, nearest + step);
    const test::Vector before = test::dense_splines(basis, nearest - step);
    for (std::size_t i = 0; i < value.size(); ++i)
      value[i] += (after[i] - before[i]) / (2 * step) * (x - nearest);
  }
  return value;
}

double dense_prediction(const Model& model, const MatrixView& x, std::size_t row) {
  test::Real total = model.intercept;
  for (std::size_t t = 0; t < model.design.terms().size(); ++t) {
    std::vector<test::Vector> factors;
    for (std::size_t c = 0; c < model.design.terms()[t].order(); ++c) {
      const UniformBasis& basis = model.design.basis(t, c);
      const bool straight = basis.degree() == 1 && basis.resolution() == 1;
      const bool goes_on = straight && model.extrapolation == Extrapolation::constant;
      factors.push_back(functions_at(model.design, t, c, x(row, model.design.terms()[t].features[c]),
                                     goes_on ? Extrapolation::linear : model.extrapolation));
    }
    const test::Vector product = test::outer(factors);
    for (std::size_t i = 0; i < product.size(); ++i)
      total += product[i] * model.coefficients[model.design.raw_offset(t) + i];
  }
  return static_cast<double>(total);
}

void expect_dense(const Model& model, const MatrixView& x, double tolerance) {
  const std::vector<double> ours = predict(model, x);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    const double expected = dense_prediction(model, x, r);
    EXPECT_NEAR(ours[r], expected, tolerance * std::max(1.0, std::abs(expected))) << "row " << r;
  }
}

Rows beyond_the_range(std::size_t count) {
  Rows rows = mixed_rows(count, 303);
  for (double& value : rows.x) value = 3 * value - 1;
  return rows;
}

TEST(Prediction, InsideTheRangeEqualsDenseEvaluation) {
  for (int degree = 1; degree <= max_degree; ++degree) {
    SCOPED_TRACE("degree " + std::to_string(degree));
    Rows rows = mixed_rows(60, 304);
    for (std::size_t j = 0; j < rows.columns; ++j) {
      rows.at(0, j) = 0;
      rows.at(1, j) = 1;
      rows.at(2, j) = 0.5;
    }
    for (const Extrapolation mode : {Extrapolation::continue_polynomial, Extrapolation::linear,
                                     Extrapolation::constant, Extrapolation::error})
      expect_dense(made_up_model(degree, mode), rows.view(), 1e-13);
  }
}

TEST(Prediction, OutsideTheRangeContinuesAsTheModelSays) {
  for (const int degree : {1, 2, 3, 5}) {
    SCOPED_TRACE("degree " + std::to_string(degree));
    const Rows rows = beyond_the_range(80);
    expect_dense(made_up_model(degree, Extrapolation::continue_polynomial), rows.view(), 1e-11);
    expect_dense(made_up_model(degree, Extrapolation::linear), rows.view(), 1e-8);
    expect_dense(made_up_model(degree, Extrapolation::constant), rows.view(), 1e-13);
  }
}

TEST(Prediction, OfAStraightLineGoesOnStraightUpToTheLimits) {
  Rows rows = made_up_rows(300, 1, 305);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = 3 - 2 * rows.at(r, 0);
  const Model model = fit(rows.view(), rows.y);
  const std::vector<double> outside{-0.4, 1.4, -4, 7};
  const auto predicted = predict(model, MatrixView::column_major(outside, 4, 1));
  EXPECT_NEAR(predicted[0], 3.8, 1e-5);
  EXPECT_NEAR(predicted[1], 0.2, 1e-5);
  EXPECT_EQ(predicted[2], model.prediction_limits.highest);
  EXPECT_EQ(predicted[3], model.prediction_limits.lowest);
}

TEST(Prediction, OutsideTheRangeIsRefusedWhereTheModelForbidsIt) {
  const Model model = made_up_model(3, Extrapolation::error);
  Rows rows = mixed_rows(5, 306);
  rows.at(2, 1) = 1.5;
  EXPECT_EQ(
      refusal(ErrorCode::out_of_range, [&] { predict(model, rows.view()); }),
      "In the column 'b', row 2 (counted from 0): the value 1.5 lies outside the training range [0, 1].");
  rows.at(2, 1) = 0.5;
  rows.at(4, 3) = -1e-300;
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { predict(model, rows.view()); }),
            "In the column 'line', row 4 (counted from 0): the value -1e-300 lies outside the training range "
            "[0, 1].");
}

TEST(Prediction, NeverRefusesALevelNobodyHasSeen) {
  for (const Extrapolation mode : {Extrapolation::linear, Extrapolation::error}) {
    const Model model = made_up_model(3, mode);
    Rows rows = mixed_rows(2, 311);
    for (std::size_t j = 0; j < 7; ++j) rows.at(1, j) = rows.at(0, j);
    rows.at(0, 5) = 2;  // the last level
    rows.at(1, 5) = 99;
    const std::vector<double> predicted = predict(model, rows.view());
    EXPECT_EQ(predicted[0], predicted[1]);
    const double last[] = {2};
    const double unseen[] = {-7.5};
    EXPECT_EQ(term_value(model, 8, last), term_value(model, 8, unseen));
  }
}

TEST(Prediction, RefusesAWarpedValueInTheUnitsOfTheData) {
  Model model = made_up_model(3, Extrapolation::error);
  std::vector<Feature> features = model.design.features();
  features[4].range = {-3, 5};
  features[4].warp.nodes = {-3, 0, 0.5, 2, 4};  // ends before the range does
  model.design = Design(features, model.design.terms(), 3, Parametrisation::centred);
  Rows rows = mixed_rows(3, 312);
  rows.at(1, 4) = 5;
  EXPECT_NO_THROW(predict(model, rows.view()));
  rows.at(1, 4) = 5.5;
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { predict(model, rows.view()); }),
            "In the column 'warped', row 1 (counted from 0): the value 5.5 lies outside the training range "
            "[-3, 5].");
  const double inside[] = {5};
  const double outside[] = {-3.5};
  EXPECT_NO_THROW(term_value(model, 7, inside));
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { term_value(model, 7, outside); }),
            "The value -3.5 lies outside the training range [-3, 5].");
}

TEST(Prediction, OfATermEqualsItsShareOfTheDenseEvaluation) {
  for (const Extrapolation mode : {Extrapolation::linear, Extrapolation::continue_polynomial}) {
    const Model model = made_up_model(3, mode);
    const Rows rows = beyond_the_range(20);
    for (std::size_t r = 0; r < rows.count; ++r) {
      double total = model.intercept;
      for (std::size_t t = 0; t < model.design.terms().size(); ++t) {
        std::vector<double> point;
        for (const std::size_t j : model.design.terms()[t].features) point.push_back(rows.at(r, j));
        total += term_value(model, t, point);
      }
      const double expected = dense_prediction(model, rows.view(), r);
      EXPECT_NEAR(total, expected, 1e-8 * std::max(1.0, std::abs(expected))) << "row " << r;
    }
  }
}

TEST(Prediction, RefusesAnotherNumberOfColumns) {
  const Model model = made_up_model(3);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { predict(model, made_up_rows(5, 3, 1).view()); }),
            "The model has 7 features, but the data have 3 columns.");
}

TEST(Prediction, RefusesValuesThatAreNotFinite) {
  Model model = made_up_model(3);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Rows rows = mixed_rows(5, 307);
    rows.at(3, 2) = bad;
    EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { predict(model, rows.view()); }),
              "In the column 'c', row 3 (counted from 0): the value is not a finite number.");
  }
  std::vector<Feature> nameless = model.design.features();
  nameless[2].name.clear();
  model.design = Design(nameless, model.design.terms(), 3, Parametrisation::centred);
  Rows rows = mixed_rows(5, 308);
  rows.at(3, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { predict(model, rows.view()); }),
            "In column 2, row 3 (counted from 0): the value is not a finite number.");
}

TEST(Prediction, RefusesToReturnWhatIsNotFinite) {
  Rows rows = mixed_rows(3, 309);
  const std::string sentence =
      "In row 1 (counted from 0): the prediction is not a finite number, because a value lies too far "
      "outside the "
      "training range.";
  rows.at(1, 0) = 1e200;
  EXPECT_EQ(refusal(ErrorCode::out_of_range,
                    [&] { predict(made_up_model(3, Extrapolation::continue_polynomial), rows.view()); }),
            sentence);
  EXPECT_TRUE(std::isfinite(predict(made_up_model(3, Extrapolation::constant), rows.view())[1]));
  rows.at(1, 0) = -1.7e308;
  EXPECT_EQ(refusal(ErrorCode::out_of_range, [&] { predict(made_up_model(3), rows.view()); }), sentence);
  EXPECT_TRUE(std::isfinite(predict(made_up_model(3, Extrapolation::constant), rows.view())[1]));
}

TEST(Prediction, RefusesTheWrongNumberOfPlaces) {
  const Rows rows = mixed_rows(5, 310);
  std::vector<double> places(4);
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { predict(made_up_model(3), rows.view(), places); }),
            "Predictions of 5 rows need as many places, not 4.");
}

TEST(Prediction, OfNoRowsIsEmpty) { EXPECT_TRUE(predict(made_up_model(3), mixed_rows(0, 1).view()).empty()); }

TEST(Prediction, IsTheSameToTheBitOnAnyNumberOfThreads) {
  const Rows rows = beyond_the_range(20000);
  for (const int degree : {1, 3, 6}) {
    const Model model = made_up_model(degree);
    const std::vector<double> alone = predict(model, rows.view(), 1);
    EXPECT_TRUE(predict(model, rows.view(), 2) == alone);
    EXPECT_TRUE(predict(model, rows.view(), 4) == alone);
    EXPECT_TRUE(predict(model, rows.view(), 0) == alone);  // all cores
  }
}

TEST(Prediction, RefusesANegativeNumberOfThreads) {
  EXPECT_EQ(
      refusal(ErrorCode::invalid_argument, [] { predict(made_up_model(3), mixed_rows(5, 1).view(), -2); }),
      "The number of threads is -2; it must be positive, or 0 for all cores.");
}

TEST(Prediction, DoesNotDependOnHowRowsAreSplitIntoCallsOrLaidOut) {
  const Rows rows = beyond_the_range(5000);
  const Model model = made_up_model(3);
  const std::vector<double> whole = predict(model, rows.view());
  std::vector<double> pieces(rows.count);
  std::size_t first = 0;
  for (const std::size_t length : {1U, 0U, 255U, 3000U, 1744U}) {
    predict(model, rows.slice(first, length).view(), std::span(pieces).subspan(first, length));
    first += length;
  }
  EXPECT_TRUE(pieces == whole);
  std::vector<double> row_major(rows.x.size());
  for (std::size_t r = 0; r < rows.count; ++r)
    for (std::size_t j = 0; j < 7; ++j) row_major[r * 7 + j] = rows.at(r, j);
  EXPECT_TRUE(predict(model, MatrixView::row_major(row_major, rows.count, 7)) == whole);
}

/// A model is an open struct, so that a program may put one together wrongly. No consumer reads beyond the
/// ends of its lists then.
TEST(Prediction, OfAModelWhoseListsAreTooShortIsRefusedByEveryConsumer) {
  const Rows rows = mixed_rows(5, 306);
  const double point[] = {0.5};
  const std::string sentence =
      "The KORE model is inconsistent: its coefficients do not belong to its design.";
  for (const bool of_effects : {false, true}) {
    Model model = made_up_model(3);
    if (of_effects)
      model.effects.pop_back();
    else
      model.coefficients.pop_back();
    const std::function<void()> consumers[]{[&] { predict(model, rows.view()); },
                                            [&] { widening(model, rows.view()); },
                                            [&] { outside_count(model, rows.view()); },
                                            [&] { predictor_errors(model, rows.view()); },
                                            [&] { term_value(model, 0, point); },
                                            [&] { effect_error(model, 0, point); },
                                            [&] { anova_constant(model); },
                                            [&] { as_fitted(model); },
                                            [&] { decomposition(model); },
                                            [&] { model_from_bytes(to_bytes(model)); }};
    for (const auto& consumer : consumers) EXPECT_EQ(refusal(ErrorCode::corrupt_file, consumer), sentence);
  }
}

}  // namespace
}  // namespace kore
