// Purified effects: the same function, taken apart so that no effect says what a simpler one can.
#include "fit/purify.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "kore/fit.hpp"
#include "kore/model.hpp"
#include "kore/response.hpp"
#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"

namespace kore {
namespace {

using test::Rows;

std::vector<double> random_coefficients(const Design& design, std::uint64_t seed) {
  test::Uniform uniform(seed);
  std::vector<double> coefficients(design.raw_columns());
  for (double& c : coefficients) c = uniform.between(-1, 1);
  return coefficients;
}

MomentsOf moments_over(const Design& design, const Rows& rows) {
  return [&design, &rows](const Term& term) {
    GramAccumulator gram(Design::of_parts(design.features(), {term}, design.degree()));
    gram.add(working_block(rows.block()));
    std::vector<double> moments = gram.block(0, 0);
    for (double& moment : moments) moment /= gram.weight_sum();
    return moments;
  };
}

Model model_of(Design design, std::vector<double> coefficients, Extrapolation outside) {
  Model model{std::move(design), outside, 0.7, std::move(coefficients), "", {}, {}, {}, {}, {}, {}};
  model.effects.resize(model.design.terms().size());
  return model;
}

/// The sums of all effects at rows, beside those of the terms as fitted.
void expect_same_function(const Model& model, const MatrixView& x) {
  const Explanation explained = explain(model, decomposition(model), x);
  const std::vector<double> predicted = predict(model, x);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    double sum = explained.constant;
    double size = std::abs(sum);
    for (const std::vector<double>& values : explained.contributions) {
      sum += values[r];
      size += std::abs(values[r]);
    }
    EXPECT_EQ(explained.sums[r], predicted[r]);
    EXPECT_NEAR(sum, predicted[r], 1e-13 * size);
  }
}

TEST(Purify, LeavesTheFunctionAsItIsAtEveryPointInsideAndOutside) {
  for (const int degree : {1, 3})
    for (const Extrapolation outside :
         {Extrapolation::linear, Extrapolation::constant, Extrapolation::continue_polynomial}) {
      const Design design = test::mixed_design(degree);
      Model model = model_of(design, random_coefficients(design, 5), outside);
      Rows rows = test::mixed_rows(400, 31);
      model.purified =
          purify({design, model.intercept, model.coefficients}, moments_over(design, rows)).shown;
      model.purified->effects.resize(model.purified->terms.size());
      expect_same_function(model, rows.view());
      for (std::size_t r = 0; r < rows.count; ++r)
        for (std::size_t j = 0; j < 5; ++j) rows.at(r, j) = 3 * rows.at(r, j) - 1;
      expect_same_function(model, rows.view());
    }
}

TEST(Purify, MakesEveryEffectOfTheFeaturesOfAnInteractionAndNoOther) {
  const Design design = test::mixed_design(3);
  const Rows rows = test::mixed_rows(300, 32);
  const Decomposition shown =
      purify({design, 0, random_coefficients(design, 6)}, moments_over(design, rows)).shown;
  std::set<std::vector<std::size_t>> found;
  for (const ShownTerm& term : shown.terms) EXPECT_TRUE(found.insert(term.features).second);
  // Pairs of the triples a b c and line colour warped that were no terms before are there now.
  EXPECT_TRUE(found.contains({0, 2}) && found.contains({1, 2}) && found.contains({3, 5}));
  EXPECT_FALSE(found.contains({2, 3}));
}

/// Two features that nearly determine each other, and a third.
Rows dependent_rows(std::size_t count, std::uint64_t seed) {
  Rows rows = test::made_up_rows(count, 3, seed);
  for (std::size_t r = 0; r < count; ++r) rows.at(r, 1) = 0.85 * rows.at(r, 0) + 0.15 * rows.at(r, 1);
  return rows;
}

double correlation(std::span<const double> a, std::span<const double> b) {
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    products += a[r] * b[r];
    squares_a += a[r] * a[r];
    squares_b += b[r] * b[r];
  }
  return products / std::sqrt(squares_a * squares_b);
}

TEST(Purify, LeavesNothingInAnInteractionThatASimplerEffectSays) {
  const Rows rows = dependent_rows(2000, 33);
  std::vector<Feature> features{{"a", {0, 1}}, {"b", {0, 1}}, {"c", {0, 1}}};
  const Design design(features,
                      {{{0}, {3}}, {{1}, {3}}, {{2}, {3}}, {{0, 1}, {3, 3}}, {{0, 1, 2}, {2, 2, 2}}}, 3,
                      Parametrisation::centred);
  const Decomposition shown =
      purify({design, 0, random_coefficients(design, 8)}, moments_over(design, rows)).shown;
  Model model = model_of(design, random_coefficients(design, 8), Extrapolation::linear);
  const auto values = [&](const std::vector<std::size_t>& wanted) {
    const Explanation explained = explain(model, shown, rows.view());
    for (std::size_t t = 0; t < shown.terms.size(); ++t)
      if (shown.terms[t].features == wanted) return explained.contributions[t];
    return std::vector<double>{};
  };
  // Functions that the knots of the effects can say, by the rows themselves.
  for (const std::vector<std::size_t>& term : {std::vector<std::size_t>{0, 1}, {0, 1, 2}})
    for (const std::size_t feature : {0, 1}) {
      std::vector<double> line;
      std::vector<double> parabola;
      std::vector<double> ones(rows.count, 1.0);
      for (std::size_t r = 0; r < rows.count; ++r) {
        line.push_back(rows.at(r, feature) - 0.5);
        parabola.push_back(std::pow(rows.at(r, feature) - 0.5, 2) - 1.0 / 12);
      }
      EXPECT_LT(std::abs(correlation(values(term), line)), 0.1) << term.size() << " of " << feature;
      EXPECT_LT(std::abs(correlation(values(term), parabola)), 0.1) << term.size() << " of " << feature;
      EXPECT_LT(std::abs(correlation(values(term), ones)), 1e-10);
    }
}

/// Of two standard normal features with the correlation `rho`, the product is the sum of `a (x² - 1)` of
/// each, with `a = rho / (1 + rho²)`, of `rho`, and of a rest that is uncorrelated with every function of
/// either.
TEST(Purify, FindsTheComponentsOfAKnownFunctionOfDependentFeatures) {
  constexpr double rho = 0.6;
  constexpr double a = rho / (1 + rho * rho);
  test::Uniform uniform(41);
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform());
  };
  Rows rows{3000, 2, std::vector<double>(6000), std::vector<double>(3000), {}};
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) = normal();
    rows.at(r, 1) = rho * rows.at(r, 0) + std::sqrt(1 - rho * rho) * normal();
    rows.y[r] = rows.at(r, 0) * rows.at(r, 1) + 0.5 * rows.at(r, 0) + 0.01 * normal();
  }
  Options options;
  options.pair_choice = PairChoice::given;
  options.pairs = {{1, 0}};
  const Model model = fit(rows.source(), options);
  ASSERT_TRUE(model.purified);
  const Decomposition shown = decomposition(model);
  EXPECT_NEAR(shown.constant, rho, 0.05);
  double shares = 0;
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    shares += shown.effects[t].covariance_share;
    const bool pair = shown.terms[t].order() == 2;
    const bool first = shown.terms[t].features[0] == 0;
    for (const double x : {-1.5, -0.5, 0.0, 0.7, 1.4}) {
      const double z = 0.4 + 0.5 * x;
      const double main = a * (x * x - 1) + (first ? 0.5 * x : 0);
      const double rest = x * z - a * (x * x + z * z - 2) - rho;
      const double found =
          pair ? term_value(shown, t, std::array{x, z}) : term_value(shown, t, std::array{x});
      EXPECT_NEAR(found, pair ? rest : main, 0.08) << "effect " << t << " at " << x;
    }
  }
  EXPECT_NEAR(shares, 1, 1e-9);
  expect_same_function(model, rows.view());
}

TEST(Purify, HasTheBandsOfTheFitWhereFeaturesAreIndependent) {
  // Every combination of values: nothing is there to be moved.
  Rows rows{900, 2, std::vector<double>(1800), std::vector<double>(900), {}};
  test::Uniform uniform(43);
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.at(r, 0) = static_cast<double>(r % 30) / 29;
    rows.at(r, 1) = static_cast<double>(r / 30) / 29;
    rows.y[r] = std::sin(4 * rows.at(r, 0)) + 2 * (rows.at(r, 0) - 0.5) * (rows.at(r, 1) - 0.5) +
                uniform.between(-0.3, 0.3);
  }
  Options options;
  options.pair_choice = PairChoice::given;
  options.pairs = {{0, 1}};
  options.structure = StructureChoice::pairwise;
  const Model model = fit(rows.source(), options);
  ASSERT_TRUE(model.purified);
  const Decomposition fitted = as_fitted(model);
  for (std::size_t t = 0; t < fitted.terms.size(); ++t) {
    const auto same =
        std::ranges::find(model.purified->terms, fitted.terms[t].features, &ShownTerm::features);
    const auto own = static_cast<std::size_t>(same - model.purified->terms.begin());
    for (const double x : {0.1, 0.4, 0.9}) {
      const std::vector<double> point(fitted.terms[t].order(), x);
      const double error = effect_error(fitted, t, point);
      ASSERT_GT(error, 0);
      EXPECT_NEAR(effect_error(*model.purified, own, point), error, 0.05 * error + 0.002);
      EXPECT_NEAR(term_value(*model.purified, own, point), term_value(fitted, t, point), 1e-6);
    }
  }
}

TEST(Purify, TellsTheSameOfThePublishedMethodWhateverTheOrderOfAPair) {
  const Rows rows = dependent_rows(600, 44);
  Options options = Options::paper();
  options.structure = StructureChoice::pairwise;
  options.pair_choice = PairChoice::given;
  options.pairs = {{0, 1}};
  const Model rising = fit(rows.source(), options);
  options.pairs = {{1, 0}};
  const Model falling = fit(rows.source(), options);
  ASSERT_TRUE(rising.purified && falling.purified);
  expect_same_function(rising, rows.view());
  expect_same_function(falling, rows.view());
  double shares = 0;
  for (std::size_t t = 0; t < rising.purified->terms.size(); ++t) {
    EXPECT_EQ(rising.purified->terms[t].features, falling.purified->terms[t].features);
    EXPECT_NEAR(rising.purified->effects[t].share, falling.purified->effects[t].share, 1e-5);
    shares += rising.purified->effects[t].covariance_share;
  }
  EXPECT_NEAR(shares, 1, 1e-9);
}

TEST(Purify, TellsOfALevelWithoutRowsWhatItsInteractionSays) {
  const Design design({{"a", {0, 1}}, {"kind", {0, 2}, FeatureKind::category, 3}},
                      {{{0}, {2}}, {{1}, {1}}, {{0, 1}, {2, 1}}}, 3, Parametrisation::centred);
  Rows rows = test::made_up_rows(500, 2, 46);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 1) = static_cast<double>(r % 2);
  std::vector<double> coefficients(design.raw_columns());
  for (std::size_t i = 0; i < 5; ++i) coefficients[design.raw_offset(2) + 3 * i + 2] = 1;  // 1 at level 2
  const Decomposition shown = purify({design, 0, coefficients}, moments_over(design, rows)).shown;
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    if (shown.terms[t].features == std::vector<std::size_t>{1}) {
      EXPECT_NEAR(term_value(shown, t, std::array{2.0}), 1, 1e-3);
    } else if (shown.terms[t].order() == 2) {
      EXPECT_NEAR(term_value(shown, t, std::array{0.3, 2.0}), 0, 1e-3);
    }
  }
}

TEST(Purify, HasNothingToDoWithoutInteractions) {
  Options options;
  options.structure = StructureChoice::additive;
  const Model model = fit(dependent_rows(300, 45).source(), options);
  EXPECT_FALSE(model.purified);
  EXPECT_EQ(decomposition(model).terms.size(), model.design.terms().size());
  EXPECT_FALSE(decomposition(model).purified);
}

}  // namespace
}  // namespace kore
