// Bands of effects: by a second route, and how often they hold the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fit/bands.hpp"
#include "fit/loose_weights.hpp"
#include "kore/fit.hpp"
#include "penalty/roughness.hpp"
#include "support/noisy_rows.hpp"

namespace kore {
namespace {

using test::Rows;
using test::rows_of;

TEST(Bands, OfOneLineAreThoseOfTheFormula) {
  const Rows rows = rows_of(80, 1, 71, 1.0, [](const auto& x) { return 0.8 * x(0); });
  Options options;
  options.grown().folds = 1;  // the fit as it is solved for
  options.kinds = {FeatureKind::linear};
  const Model model = fit(rows.source(), options);
  // The one column: the falling function of the line, less its mean. Its penalty is half its square.
  const Range range = model.design.features()[0].range;
  const auto falling = [&](double x) { return (range.highest - x) / (range.highest - range.lowest); };
  double mean = 0;
  double target_mean = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    mean += falling(rows.at(r, 0)) / 80;
    target_mean += rows.y[r] / 80;
  }
  double squares = 0;
  double products = 0;
  for (std::size_t r = 0; r < rows.count; ++r) {
    squares += std::pow(falling(rows.at(r, 0)) - mean, 2);
    products += (falling(rows.at(r, 0)) - mean) * (rows.y[r] - target_mean);
  }
  const double weight = model.penalty_weights[0][0];
  const double k = 1 / 0.015790774093431214;  // the first tenth of chi-squared with one degree of freedom
  const double loose = 1 / ((k - 1) / (squares / 0.5) + k / weight);
  const double drawn = products / (squares + 0.5 * weight);
  const double free = products / (squares + 0.5 * loose);
  const double variance = model.summary.noise_variance / (squares + 0.5 * loose) + std::pow(free - drawn, 2);
  for (const double x : {0.1, 0.4, 0.95})
    EXPECT_NEAR(effect_error(model, 0, x), std::abs(falling(x) - mean) * std::sqrt(variance), 1e-9);
}

/// How often the bands of the first main effect hold the truth, over the curve and over draws. Both are
/// centred over the training rows.
double coverage(const auto& curve, double noise, std::size_t count) {
  int inside = 0;
  int points = 0;
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    const Rows rows = rows_of(count, 2, 900 + 10 * draw, noise,
                              [&](const auto& x) { return curve(x(0)) + std::cos(3 * x(1)); });
    Options options;
    options.grown().folds = 1;  // the fit as it is solved for
    options.structure = StructureChoice::additive;
    options.threads = 1;
    const Model model = fit(rows.source(), options);
    double mean = 0;
    for (const double x : rows.column(0)) mean += curve(x) / static_cast<double>(count);
    for (double x = 0.02; x < 1; x += 0.04) {
      const double error = effect_error(model, 0, x);
      if (!std::isfinite(error)) continue;
      const double found = term_value(model, 0, std::span(&x, 1));
      inside += std::abs(found - (curve(x) - mean)) < 1.96 * error ? 1 : 0;
      ++points;
    }
  }
  EXPECT_GE(points, 25 * 20);  // a fit without penalty has no bands
  return static_cast<double>(inside) / points;
}

TEST(Bands, CoverSmoothEffectsAsOftenAsTheySay) {
  const auto sine = [](double x) { return std::sin(2 * std::numbers::pi * x); };
  const auto bump = [](double x) { return std::exp(-50 * (x - 0.4) * (x - 0.4)); };
  const auto parabola = [](double x) { return 4 * x * x; };
  const auto wave = [](double x) { return std::sin(15 * x) * x; };
  for (const double noise : {0.2, 0.5}) {
    SCOPED_TRACE(noise);
    for (const auto& [name, share] : {std::pair{"sine", coverage(sine, noise, 400)},
                                      {"bump", coverage(bump, noise, 400)},
                                      {"parabola", coverage(parabola, noise, 400)},
                                      {"wave", coverage(wave, noise, 400)}}) {
      RecordProperty(name, std::to_string(share));
      EXPECT_GE(share, 0.92) << name;
      EXPECT_LE(share, 0.98) << name;
    }
  }
}

/// Straight lines whose slopes are 0, 1, 2 and 3 standard errors beside a curve: the share of draws in which
/// the ends of their bands hold the truth.
std::vector<double> coverage_of_weak_lines(std::size_t count, int draws) {
  const double slope = std::sqrt(12.0 / static_cast<double>(count));
  std::vector<double> covered(4);
  for (int draw = 0; draw < draws; ++draw) {
    const Rows rows = rows_of(count, 5, 5000 + 10 * static_cast<std::uint64_t>(draw), 1, [&](const auto& x) {
      return slope * (x(1) + 2 * x(2) + 3 * x(3)) + 2 * std::sin(6 * x(4));
    });
    Options options;
    options.grown().folds = 1;  // the fit as it is solved for
    options.structure = StructureChoice::additive;
    options.threads = 1;
    const Model model = fit(rows.source(), options);
    for (std::size_t j = 0; j < covered.size(); ++j) {
      double mean = 0;
      for (const double x : rows.column(j)) mean += x / static_cast<double>(count);
      for (const double x : {0.1, 0.9}) {
        const double truth = static_cast<double>(j) * slope * (x - mean);
        const double found = term_value(model, j, std::span(&x, 1));
        if (std::abs(found - truth) < 1.96 * effect_error(model, j, x)) covered[j] += 0.5 / draws;
      }
    }
  }
  return covered;
}

TEST(Bands, CoverWeakLinesThoughTheirWeightsAreUnknown) {
  const std::vector<double> covered = coverage_of_weak_lines(150, 60);
  for (std::size_t t = 0; t < covered.size(); ++t) {
    RecordProperty("t" + std::to_string(t), std::to_string(covered[t]));
    EXPECT_GE(covered[t], 0.9) << "slope of " << t << " standard errors";
  }
}

/// The share of points of a surface at which the band of a pair holds the truth.
double coverage_of_pair(std::size_t count, std::uint64_t draws) {
  const auto wave = [](double x) { return std::sin(2 * std::numbers::pi * x); };
  double covered = 0;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const Rows rows = rows_of(count, 2, 8000 + 10 * draw, 1, [&](const auto& x) {
      return 2 * wave(x(0)) * wave(x(1)) + std::exp(x(0)) + x(1);
    });
    Options options;
    options.grown().folds = 1;  // the fit as it is solved for
    options.pair_choice = PairChoice::all;
    options.structure = StructureChoice::pairwise;
    options.threads = 1;
    const Model model = fit(rows.source(), options);
    double mean[2]{};
    for (std::size_t j = 0; j < 2; ++j)
      for (const double x : rows.column(j)) mean[j] += wave(x) / static_cast<double>(count);
    for (double a = 0.05; a < 1; a += 0.1)
      for (double b = 0.05; b < 1; b += 0.1) {
        const double point[]{a, b};
        const double truth = 2 * (wave(a) - mean[0]) * (wave(b) - mean[1]);
        if (std::abs(term_value(model, 2, point) - truth) < 1.96 * effect_error(model, 2, point))
          covered += 0.01 / static_cast<double>(draws);
      }
  }
  return covered;
}

TEST(Bands, OfAPairCoverTheSurface) {
  const double covered = coverage_of_pair(300, 25);
  RecordProperty("pair", std::to_string(covered));
  EXPECT_GE(covered, 0.9);
  EXPECT_LE(covered, 0.98);
}

TEST(Bands, OfAPairAreThoseOfTheLooseFit) {
  const Rows rows = rows_of(250, 2, 75, 0.5, [](const auto& x) { return std::sin(5 * x(0)) * x(1); });
  Options options;
  options.grown().folds = 1;  // the fit as it is solved for
  options.structure = StructureChoice::pairwise;
  const Model model = fit(rows.source(), options);
  GramAccumulator gram(model.design);
  gram.add(working_block(rows.block()));
  const NormalEquations equations = normal_equations(gram, 1);
  SmootherOptions drawn;
  drawn.relative_ridge = model.summary.relative_ridge;
  drawn.ridge = model.summary.ridge;
  SmootherOptions loose = drawn;
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    const GrownTerm term{model.design.terms()[t], model.penalty_weights[t], model.effects[t].parameters};
    drawn.penalties.push_back({t, weighted_penalty(model.design, t, term.weights)});
    loose.penalties.push_back(
        {t, weighted_penalty(model.design, t, loose_weights(model.design, equations, t, term, 1))});
  }
  const Smoother first(gram, drawn);
  const Smoother second(gram, loose);
  const std::size_t pair = 2;
  const std::vector<double> covariance = second.covariances(std::array{pair}).front();
  const std::size_t size = model.design.raw_term_columns(pair);
  const std::size_t side = static_cast<std::size_t>(model.design.basis(pair, 1).functions());
  for (const double at : {0.1, 0.35, 0.8}) {
    // The functions at the point, in full.
    std::vector<double> functions(size);
    LocalBasis local[2];
    for (std::size_t c = 0; c < 2; ++c)
      local[c] =
          model.design.basis(pair, c).evaluate(model.design.argument(pair, c, at), Extrapolation::linear);
    for (std::size_t i = 0; i <= 3; ++i)
      for (std::size_t j = 0; j <= 3; ++j)
        functions[(static_cast<std::size_t>(local[0].cell) + i) * side +
                  static_cast<std::size_t>(local[1].cell) + j] = local[0].value[i] * local[1].value[j];
    double variance = 0;
    double shift = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t raw = model.design.raw_offset(pair) + i;
      shift += functions[i] * (second.coefficients()[raw] - first.coefficients()[raw]);
      for (std::size_t j = 0; j < size; ++j)
        variance += functions[i] * covariance[i * size + j] * functions[j];
    }
    const double expected = std::sqrt(model.summary.noise_variance * variance + shift * shift);
    const double point[]{at, at};
    EXPECT_NEAR(effect_error(model, pair, point) / expected, 1, 0.03) << at;
  }
}

/// A covariance of `size` coefficients whose directions fade slowly or fast.
std::vector<double> made_up_covariance(std::size_t size, double fading) {
  std::vector<double> covariance(size * size);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        const auto wave = [&](std::size_t at) {
          return std::cos(std::numbers::pi * static_cast<double>(k) * (static_cast<double>(at) + 0.5) /
                          static_cast<double>(size));
        };
        covariance[i * size + j] += std::exp(-fading * static_cast<double>(k)) * wave(i) * wave(j);
      }
  return covariance;
}

TEST(LeadingFactor, HoldsTheCovarianceButForItsWeakestDirections) {
  constexpr std::size_t size = 60;
  for (const double fading : {0.02, 0.5, 3.0}) {
    const std::vector<double> covariance = made_up_covariance(size, fading);
    const std::vector<double> scales(size, 2.0);
    const std::vector<double> factor = leading_factor(covariance, scales);
    ASSERT_EQ(factor.size() % size, 0U);
    EXPECT_LE(factor.size() / size, most_band_directions);
    double trace = 0;
    double held = 0;
    double worst = 0;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        double product = 0;
        for (std::size_t k = 0; k < factor.size(); k += size) product += factor[k + i] * factor[k + j];
        if (i == j) trace += covariance[i * size + i];
        if (i == j) held += product;
        worst = std::max(worst, std::abs(product - covariance[i * size + j]));
      }
    EXPECT_NEAR(held / trace, 1, 1e-12) << fading;
    if (fading > 0.1) {
      EXPECT_LT(worst, 0.06 * trace / size) << fading;
    }
  }
}

/// A category whose levels but the last have rows, beside two features that act together.
Model with_an_empty_level(int levels, std::size_t count) {
  Rows rows = rows_of(count, 3, 81, 0.1, [&](const auto& x) {
    return std::sin(0.9 * std::floor((levels - 1) * x(0))) + std::sin(4 * x(1)) * std::cos(3 * x(2));
  });
  for (std::size_t r = 0; r < count; ++r) rows.at(r, 0) = std::floor((levels - 1) * rows.at(r, 0));
  Options options;
  options.kinds = {FeatureKind::category, FeatureKind::spline, FeatureKind::spline};
  options.levels = {levels, 0, 0};
  return fit(rows.source(), options);
}

TEST(Bands, OfLevelsAreNotDrownedByALevelWithoutRows) {
  for (const auto& [levels, count] : {std::pair{5, 500}, std::pair{61, 1200}}) {
    const Model model = with_an_empty_level(levels, static_cast<std::size_t>(count));
    const Decomposition shown = decomposition(model);
    ASSERT_TRUE(shown.purified);
    const auto category = [](const auto& term) { return term.features == std::vector<std::size_t>{0}; };
    const auto term = std::ranges::find_if(shown.terms, category) - shown.terms.begin();
    const auto fitted = std::ranges::find_if(model.design.terms(), category) - model.design.terms().begin();
    ASSERT_LT(term, std::ssize(shown.terms));
    // No interaction has the category: what is shown is what was fitted.
    for (int level = 0; level < levels; ++level) {
      const std::array point{static_cast<double>(level)};
      const double known = effect_error(model, static_cast<std::size_t>(fitted), point);
      EXPECT_NEAR(effect_error(shown, static_cast<std::size_t>(term), point) / known, 1, 0.02) << level;
    }
  }
}

TEST(Bands, OfAFeatureAndItsCopySayThatNeitherIsKnown) {
  Rows rows = rows_of(300, 2, 73, 0.5, [](const auto& x) { return 2 * x(0) + x(1); });
  const Model alone = fit(rows.source());
  rows = rows.with_column(2, rows.column(0));
  const Model twice = fit(rows.source());
  const double x = 0.9;
  EXPECT_GT(effect_error(twice, 0, x), 3 * effect_error(alone, 0, x));
  EXPECT_TRUE(std::isfinite(effect_error(twice, 0, x)));
  EXPECT_LT(effect_error(twice, 1, x), 1.5 * effect_error(alone, 1, x));
}

TEST(Bands, AreFiniteWhereFeaturesAreMoreThanRows) {
  const Rows rows = rows_of(30, 45, 74, 0.5, [](const auto& x) { return 3 * x(0); });
  const Model model = fit(rows.source());
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    if (model.design.terms()[t].order() == 1) {
      EXPECT_TRUE(std::isfinite(effect_error(model, t, 0.5)));
    }
}

}  // namespace
}  // namespace kore
