// Weights of penalties that the data choose themselves.
#include "penalty/smoothing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "kore/response.hpp"
#include "kore/smoother.hpp"
#include "kore/solve.hpp"
#include "penalty/roughness.hpp"
#include "solve/normal_equations.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

/// A design over made-up rows with its sums and penalties.
struct Case {
  Case(const Rows& rows, std::vector<Term> terms) : Case(rows, rows.features(), std::move(terms)) {}
  Case(const Rows& rows, std::vector<Feature> features, std::vector<Term> terms)
      : design(std::move(features), std::move(terms), 3, Parametrisation::centred), gram(design) {
    gram.add(working_block(rows.block()));
    equations = normal_equations(gram, 1);
    problem = {equations.matrix, equations.right, gram.target_squares(), gram.count_sum(), {}, {}};
    for (std::size_t t = 0; t < design.terms().size(); ++t)
      problem.terms.push_back({design.offset(t), design.term_columns(t), term_penalties(design, t),
                               design.terms()[t].order() > 1});
  }
  Smoother smoother(const Smoothing& smoothing, double jitter) const {
    SmootherOptions options;
    options.ridge = jitter;
    options.relative_ridge = true;
    for (std::size_t t = 0; t < problem.terms.size(); ++t)
      options.penalties.push_back({t, smoothing.penalty(problem.terms[t], t)});
    return Smoother(gram, options);
  }
  /// Twice the logarithm of the restricted likelihood, with the noise's variance as it is known or maximised
  /// out.
  double restricted_likelihood(const Smoothing& smoothing) const {
    const std::size_t p = design.columns();
    std::vector<double> matrix = equations.matrix;
    double value = 0;
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
      const SmoothTerm& term = problem.terms[t];
      const std::vector<double> penalty = smoothing.penalty(term, t);
      for (std::size_t j = 0; j < term.columns; ++j)
        for (std::size_t i = 0; i < term.columns; ++i)
          matrix[(term.offset + j) * p + term.offset + i] += penalty[j * term.columns + i];
      const Cholesky prior(penalty, term.columns);
      for (std::size_t i = 0; i < term.columns; ++i)
        value += 2 * std::log(prior.factor()[i * term.columns + i]);
    }
    const Cholesky cholesky(std::move(matrix), p);
    double explained = 0;
    const std::vector<double> solution = cholesky.solve(equations.right);
    for (std::size_t i = 0; i < p; ++i) {
      value -= 2 * std::log(cholesky.factor()[i * p + i]);
      explained += solution[i] * equations.right[i];
    }
    const double left = gram.target_squares() - explained;
    if (problem.known_dispersion) return value - left / *problem.known_dispersion;
    return value - (gram.weight_sum() - 1) * std::log(left);
  }

  Design design;
  GramAccumulator gram;
  NormalEquations equations;
  SmoothingProblem problem;
};

SmoothingOptions precise() {
  SmoothingOptions options;
  options.iterations = 2000;
  options.likelihood_tolerance = 0;
  options.grain = 0;
  options.tolerance = 1e-9;
  options.vanished = 0;
  options.jitter = 0;
  return options;
}

TEST(Smoothing, MaximisesTheRestrictedLikelihood) {
  Case c(made_up_rows(300, 3, 321, 0.3), {{{0}, {8}}, {{1}, {8}}, {{0, 1}, {2, 2}}});
  // Estimated, and known: about right, and far too large.
  for (const std::optional<double> dispersion :
       {std::optional<double>(), std::optional(0.1), std::optional(2.0)}) {
    c.problem.known_dispersion = dispersion;
    const Smoothing smoothing = solve_smoothing(c.problem, precise());
    ASSERT_TRUE(smoothing.settled);
    const double best = c.restricted_likelihood(smoothing);
    for (std::size_t t = 0; t < smoothing.weights.size(); ++t)
      for (std::size_t k = 0; k < smoothing.weights[t].size(); ++k)
        for (const double factor : {0.8, 1.25}) {
          Smoothing other = smoothing;
          other.weights[t][k] *= factor;
          EXPECT_GT(best, c.restricted_likelihood(other)) << "term " << t << ", penalty " << k;
        }
  }
}

TEST(Smoothing, HoldsMoreWhereTheKnownDispersionIsLarger) {
  Case c(made_up_rows(300, 2, 328, 0.3), {{{0}, {8}}, {{1}, {8}}});
  double before = 1e300;
  for (const double dispersion : {0.01, 0.09, 1.0}) {
    c.problem.known_dispersion = dispersion;
    const Smoothing smoothing = solve_smoothing(c.problem);
    EXPECT_EQ(smoothing.variance, dispersion) << "told, not estimated";
    const double parameters = smoothing.parameters[0] + smoothing.parameters[1];
    EXPECT_LT(parameters, before);
    before = parameters;
  }
}

TEST(Smoothing, StopsWhereLittleOfTheLikelihoodIsLeftToGain) {
  // Twelve effects with two penalties each, half of them of columns that say nothing.
  const Rows rows = made_up_rows(600, 12, 327, 0.3);
  std::vector<Term> mains;
  for (std::size_t j = 0; j < 12; ++j) mains.push_back({{j}, {8}});
  const Case c(rows, mains);
  SmoothingOptions patient;
  patient.likelihood_tolerance = 0;
  const Smoothing soon = solve_smoothing(c.problem);
  const Smoothing late = solve_smoothing(c.problem, patient);
  ASSERT_TRUE(soon.settled);
  ASSERT_TRUE(late.settled);
  EXPECT_LT(soon.iterations, late.iterations);
  // Twice the logarithm; its curvature is known roughly only.
  EXPECT_NEAR(c.restricted_likelihood(soon), c.restricted_likelihood(late),
              2 * 3 * SmoothingOptions{}.likelihood_tolerance);
}

TEST(Smoothing, HoldsACategoryAsTheVariancesOfItsLevelsAskFor) {
  // A random intercept: as many rows in every level, so that the estimate is known in closed form.
  constexpr std::size_t levels = 12;
  constexpr std::size_t each = 20;
  Rows rows = made_up_rows(levels * each, 2, 324);
  test::Uniform noise(325);
  std::vector<double> mean(levels);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::size_t level = r % levels;
    rows.at(r, 0) = static_cast<double>(level);
    rows.at(r, 1) = 0;
    rows.y[r] = std::sin(5.0 * static_cast<double>(level)) + 3 * noise.between(-1, 1);
    mean[level] += rows.y[r] / each;
  }
  double total = 0;
  for (const double m : mean) total += m / levels;
  double between = 0;
  double within = 0;
  for (const double m : mean) between += each * (m - total) * (m - total) / (levels - 1);
  for (std::size_t r = 0; r < rows.count; ++r)
    within += std::pow(rows.y[r] - mean[r % levels], 2) / (levels * (each - 1.0));
  const double kept = 1 - within / between;  // of the distance of a level's mean from that of all
  const Case c(
      rows, {{"level", {0, 11}, FeatureKind::category, levels}, {"single", {0, 0}, FeatureKind::category, 1}},
      {{{0}, {1}}, {{1}, {1}}});
  ASSERT_EQ(c.problem.terms[0].penalties.size(), 1U);
  const Smoothing smoothing = solve_smoothing(c.problem, precise());
  EXPECT_TRUE(smoothing.settled);
  const Smoother smoother = c.smoother(smoothing, 0);
  for (std::size_t level = 0; level < levels; ++level)
    EXPECT_NEAR(smoother.intercept() + smoother.coefficients()[level], total + kept * (mean[level] - total),
                1e-6);
}

TEST(Smoothing, TellsTheParametersAndNoiseOfTheWeightsItReturns) {
  const Rows rows = made_up_rows(250, 2, 326, 0.2);
  const Case c(rows, {{{0}, {6}}, {{1}, {4}}, {{0, 1}, {1, 3}}});  // all of them are there
  for (const int iterations : {1, 2, 30}) {                        // settled or not
    SmoothingOptions options;
    options.iterations = iterations;
    const Smoothing smoothing = solve_smoothing(c.problem, options);
    EXPECT_EQ(smoothing.settled, iterations == 30);
    EXPECT_LE(smoothing.iterations, iterations);
    const Smoother smoother = c.smoother(smoothing, 1e-10);
    double parameters = 1;
    for (const double own : smoothing.parameters) parameters += own;
    const PressSums press = smoother.press(rows.block());
    EXPECT_NEAR(parameters, press.leverage, 1e-5) << iterations << " iterations";
    EXPECT_NEAR(smoothing.variance, press.loss / (250 - parameters), 1e-6 * smoothing.variance);
  }
}

TEST(Smoothing, TellsWhatItAddedWhereColumnsAreEqual) {
  const std::vector<double> gram{1, 1, 1, 1};  // of two equal columns that nothing penalises
  const std::vector<double> right{1, 1};
  SmoothingProblem problem;
  problem.gram = gram;
  problem.right = right;
  problem.target_squares = 2;
  SmoothingOptions options;
  EXPECT_EQ(solve_smoothing(problem, options).raised_jitter, 0);
  options.jitter = 1e-18;  // less than rounding; the first power of ten that is not is 1e-15
  const Smoothing raised = solve_smoothing(problem, options);
  EXPECT_NEAR(raised.raised_jitter, 1e-15, 1e-20);
  EXPECT_NEAR(raised.solution[0] + raised.solution[1], 1, 1e-9);
}

TEST(Smoothing, ItsSolutionAndParametersAreThoseOfTheSmoother) {
  const Rows rows = made_up_rows(250, 3, 322, 0.2);
  const Case c(rows, {{{0}, {6}}, {{2}, {4}}, {{0, 2}, {1, 3}}});
  SmoothingOptions options = precise();
  options.jitter = 1e-10;
  const Smoothing smoothing = solve_smoothing(c.problem, options);
  const Smoother smoother = c.smoother(smoothing, 1e-10);
  for (std::size_t i = 0; i < smoothing.solution.size(); ++i)
    EXPECT_NEAR(smoothing.solution[i], smoother.solution()[i], 1e-7 * (1 + std::abs(smoother.solution()[i])));
  double parameters = 1;  // the intercept
  for (const double own : smoothing.parameters) parameters += own;
  const PressSums press = smoother.press(rows.block());
  EXPECT_NEAR(parameters, press.leverage, 1e-5);
  EXPECT_NEAR(smoothing.variance, press.loss / (250 - parameters), 1e-6 * smoothing.variance);
}

TEST(Smoothing, LeavesOutInteractionsThatAreNotThere) {
  Rows rows = made_up_rows(400, 3, 323);
  test::Uniform uniform(324);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] =
        std::sin(6 * rows.at(r, 0)) + 3 * rows.at(r, 1) * rows.at(r, 2) + 0.3 * uniform.between(-1, 1);
  const Case c(rows, {{{0}, {8}}, {{1}, {8}}, {{2}, {8}}, {{0, 1}, {2, 2}}, {{1, 2}, {2, 2}}});
  const Smoothing smoothing = solve_smoothing(c.problem);
  EXPECT_EQ(smoothing.alive, (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(smoothing.parameters[3], 0);
  for (std::size_t i = 0; i < c.design.term_columns(3); ++i)
    EXPECT_EQ(smoothing.solution[c.design.offset(3) + i], 0);
  EXPECT_GT(smoothing.parameters[4], 0.9);
}

TEST(Smoothing, AStraightLineCostsAboutOneParameter) {
  Rows rows = made_up_rows(500, 1, 325);
  test::Uniform uniform(326);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = 2 * rows.at(r, 0) + 0.5 * uniform.between(-1, 1);
  const Case c(rows, {{{0}, {12}}});
  const Smoothing smoothing = solve_smoothing(c.problem);
  EXPECT_GT(smoothing.parameters[0], 0.9);
  EXPECT_LT(smoothing.parameters[0], 1.5);
}

TEST(Smoothing, KeepsAllDetailWhereThereIsNoNoise) {
  Rows rows = made_up_rows(500, 1, 327);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = std::sin(20 * rows.at(r, 0));
  const Case c(rows, {{{0}, {20}}});
  EXPECT_GT(solve_smoothing(c.problem).parameters[0], 20);
}

TEST(Smoothing, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Case c(made_up_rows(600, 4, 328, 0.2), {{{0}, {12}},
                                                {{1}, {12}},
                                                {{2}, {12}},
                                                {{3}, {12}},
                                                {{0, 1}, {4, 4}},
                                                {{2, 3}, {4, 4}},
                                                {{1, 2}, {4, 4}}});
  SmoothingOptions options;
  const Smoothing alone = solve_smoothing(c.problem, options);
  options.threads = 3;
  const Smoothing together = solve_smoothing(c.problem, options);
  EXPECT_EQ(alone.solution, together.solution);
  EXPECT_EQ(alone.weights, together.weights);
}

}  // namespace
}  // namespace kore
