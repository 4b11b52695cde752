// What a model says about its terms: effective parameters, the test against no effect, concurvity.
#include "fit/evidence.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <optional>
#include <span>

#include "kore/fit.hpp"
#include "support/noisy_rows.hpp"

namespace kore {
namespace {

using test::Rows;
using test::rows_of;

Options lines(std::size_t features) {
  Options options;
  options.structure = StructureChoice::additive;
  options.kinds.assign(features, FeatureKind::linear);
  options.grown().folds = 1;  // the lines as they are solved for, whatever unseen rows say of them
  return options;
}

/// Least squares of one straight line: its slope over its standard error, with the given noise.
double t_of_line(const Rows& rows, double noise_variance) {
  double mean = 0;
  for (const double x : rows.column(0)) mean += x / static_cast<double>(rows.count);
  double squares = 0;
  double products = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    squares += std::pow(rows.at(r, 0) - mean, 2);
    products += (rows.at(r, 0) - mean) * rows.y[r];
  }
  return products / std::sqrt(squares * noise_variance);
}

TEST(Evidence, OfOneLineIsTheTTest) {
  for (const double slope : {0.0, 0.5, 2.0}) {
    const Rows rows = rows_of(90, 1, 41, 1, [&](const auto& x) { return slope * x(0); });
    const Model model = fit(rows.source(), lines(1));
    const Effect& effect = model.effects[0];
    const double t = t_of_line(rows, model.summary.noise_variance);
    const boost::math::students_t distribution(90 - 1 - effect.parameters);
    const double expected = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)));
    EXPECT_NEAR(effect.p_value, expected, 0.03 * expected + 1e-12) << slope;  // loose, not without penalty
    EXPECT_GE(effect.parameters, 0);
    EXPECT_LE(effect.parameters, 1);
    EXPECT_NEAR(effect.concurvity, 0, 1e-9) << "there is no other term";
  }
}

/// The least-squares fit of curves of some features.
struct LeastSquares {
  LeastSquares(const Rows& rows, const std::vector<std::size_t>& features)
      : design(rows.features(), terms_of(features), 3, Parametrisation::centred), gram(design) {
    gram.add(working_block(rows.block()));
    SmootherOptions options;
    options.ridge = 0;
    smoother.emplace(gram, options);
    residual_squares = smoother->press(rows.block()).loss;
  }
  static std::vector<Term> terms_of(const std::vector<std::size_t>& features) {
    std::vector<Term> terms;
    for (const std::size_t j : features) terms.push_back({{j}, {4}});
    return terms;
  }
  /// The values of the first term.
  std::vector<double> values(const Rows& rows) const {
    Model model{design, Extrapolation::linear, 0, smoother->coefficients(), "", {}, {}, {}, {}, {}, {}};
    model.effects.resize(design.terms().size());
    std::vector<double> values;
    for (const double x : rows.column(0)) values.push_back(term_value(model, 0, std::span(&x, 1)));
    return values;
  }

  Design design;
  GramAccumulator gram;
  std::optional<Smoother> smoother;
  double residual_squares = 0;
};

TEST(Evidence, WithoutPenaltiesIsTheFTestAndTheShareThatTheOthersExplain) {
  Rows rows = rows_of(200, 2, 42, 1, [](const auto& x) { return x(0) + std::sin(4 * x(1)); });
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 1) = (rows.at(r, 1) + rows.at(r, 0)) / 2;
  const LeastSquares both(rows, {0, 1});
  const LeastSquares other(rows, {1});
  const double columns = 6;
  const double freedom = 200 - 13;
  const double noise_variance = both.residual_squares / freedom;

  const NormalEquations equations = normal_equations(both.gram, 1);
  const std::vector<GrownTerm> terms(2);
  const FitInRows fit{*both.smoother, equations, terms, false, noise_variance, 0, false, 1};
  std::vector<Effect> effects(2);
  add_evidence(fit, loosen(fit), effects);

  const double ratio = (other.residual_squares - both.residual_squares) / columns / noise_variance;
  const double expected =
      boost::math::cdf(boost::math::complement(boost::math::fisher_f(columns, freedom), ratio));
  EXPECT_NEAR(effects[0].p_value / expected, 1, 1e-6);
  EXPECT_EQ(effects[0].parameters, columns);

  Rows own = rows;
  own.y = both.values(rows);
  double squares = 0;  // about the mean, which is zero
  for (const double value : own.y) squares += value * value;
  EXPECT_NEAR(effects[0].concurvity, 1 - LeastSquares(own, {1}).residual_squares / squares, 1e-6);
}

TEST(Evidence, ConcurvityOfTwoLinesIsTheSquareOfTheirCorrelation) {
  Rows rows = rows_of(300, 2, 43, 0.5, [](const auto& x) { return x(0) + x(1); });
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 1) += rows.at(r, 0);
  double mean[2]{};
  for (std::size_t j = 0; j < 2; ++j)
    for (const double x : rows.column(j)) mean[j] += x / static_cast<double>(rows.count);
  double products[3]{};
  for (std::size_t r = 0; r < rows.count; ++r) {
    const double a = rows.at(r, 0) - mean[0];
    const double b = rows.at(r, 1) - mean[1];
    products[0] += a * a;
    products[1] += a * b;
    products[2] += b * b;
  }
  const double squared_correlation = products[1] * products[1] / products[0] / products[2];
  const Model model = fit(rows.source(), lines(2));
  for (const Effect& effect : model.effects) EXPECT_NEAR(effect.concurvity, squared_correlation, 0.02);
}

TEST(Evidence, ConcurvityIsNearOneForACopyAndNearZeroForOneOfItsOwn) {
  Rows rows = rows_of(500, 2, 45, 0.3, [](const auto& x) { return std::sin(5 * x(0)) + x(1) * x(1); });
  rows = rows.with_column(2, rows.column(0));
  Options options;
  options.structure = StructureChoice::additive;
  const Model model = fit(rows.source(), options);
  EXPECT_GT(model.effects[0].concurvity, 0.95);
  EXPECT_GT(model.effects[2].concurvity, 0.95);
  EXPECT_LT(model.effects[1].concurvity, 0.1);
}

TEST(Evidence, OfNoiseIsAsOftenSmallAsItShouldBe) {
  int features = 0;
  int below_tenth = 0;
  int below_half = 0;
  for (std::uint64_t draw = 0; draw < 60; ++draw) {
    const Rows rows =
        rows_of(150, 4, 7000 + 10 * draw, 1, [](const auto& x) { return 2 * std::sin(6 * x(3)); });
    Options options;
    options.structure = StructureChoice::additive;
    options.threads = 1;
    const Model model = fit(rows.source(), options);
    EXPECT_LT(model.effects[3].p_value, 1e-6);
    for (std::size_t t = 0; t < 3; ++t) {
      ++features;
      below_tenth += model.effects[t].p_value < 0.1 ? 1 : 0;
      below_half += model.effects[t].p_value < 0.5 ? 1 : 0;
    }
  }
  EXPECT_NEAR(static_cast<double>(below_tenth) / features, 0.1, 0.06);
  EXPECT_NEAR(static_cast<double>(below_half) / features, 0.5, 0.1);
}

TEST(Evidence, AddsUpToTheParametersOfTheFit) {
  const Rows rows = test::made_up_rows(400, 3, 47, 0.2);
  Options given;
  given.grown().folds = 1;  // the fit as it is solved for, without a choice of how much to shrink it
  const Model model = fit(rows.source(), given);
  double parameters = 1;
  for (const Effect& effect : model.effects) {
    parameters += effect.parameters;
    EXPECT_LT(effect.p_value, 0.05);
  }
  EXPECT_NEAR(parameters / model.summary.parameters, 1, 0.05);
}

TEST(Evidence, IsUnknownInThePublishedMethod) {
  const Rows rows = test::made_up_rows(200, 2, 49, 0.2);
  for (const Effect& effect : fit(rows.source(), Options::paper()).effects) {
    EXPECT_TRUE(std::isnan(effect.p_value));
    EXPECT_TRUE(std::isnan(effect.parameters));
    EXPECT_TRUE(std::isnan(effect.concurvity));
  }
}

}  // namespace
}  // namespace kore
