// Weights solved in fewer directions are those of the whole problem.
#include "penalty/reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kore/response.hpp"
#include "penalty/roughness.hpp"
#include "solve/normal_equations.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

/// Main effects, three pairs of which one is there, a triple and pairs with a category, over made-up rows.
struct Case {
  explicit Case(double noise)
      : rows(rows_with_category(noise)), design(features(), terms(), 3, Parametrisation::centred) {
    GramAccumulator gram(design);
    gram.add(working_block(rows.block()));
    equations = normal_equations(gram, 1);
    problem = {equations.matrix, equations.right, equations.target_squares, equations.count_sum, {}, {}};
    for (std::size_t t = 0; t < design.terms().size(); ++t)
      problem.terms.push_back({design.offset(t), design.term_columns(t), term_penalties(design, t), false});
  }
  static Rows rows_with_category(double noise) {
    Rows made_up = made_up_rows(700, 4, 771, noise);
    for (std::size_t r = 0; r < made_up.count; ++r) made_up.at(r, 3) = std::floor(3 * made_up.at(r, 3));
    return made_up;
  }
  std::vector<Feature> features() const {
    std::vector<Feature> all = rows.features();
    all[3] = {"kind", {0, 2}, FeatureKind::category, 3};
    return all;
  }
  static std::vector<Term> terms() {
    return {{{0}, {8}},       {{1}, {8}},       {{2}, {8}},
            {{3}, {1}},       {{0, 1}, {4, 4}}, {{0, 2}, {4, 4}},
            {{1, 2}, {4, 4}}, {{0, 3}, {4, 1}}, {{0, 1, 2}, {2, 2, 2}}};
  }
  /// First weights of the terms with a single penalty, `factor` times as large as those of `solved`.
  void start_at(const Smoothing& solved, double factor) {
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
      problem.terms[t].first_weights = solved.weights[t];
      if (problem.terms[t].penalties.size() == 1) problem.terms[t].first_weights[0] *= factor;
    }
  }

  Rows rows;
  Design design;
  NormalEquations equations;
  SmoothingProblem problem;
};

SmoothingOptions precise() {
  SmoothingOptions options;
  options.iterations = 300;
  options.likelihood_tolerance = 0;
  options.grain = 0;
  options.tolerance = 1e-6;
  options.vanished = 1e-3;  // weights of less are not waited for, and no term here may vanish
  options.jitter = 0;
  return options;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

TEST(Reduction, LeavesTheSolutionAloneWhereNothingIsNegligible) {
  Case c(0.3);
  const Smoothing full = solve_smoothing(c.problem, precise());
  c.start_at(full, 1);
  const ReducedProblem same = reduce(c.problem, 0, 1);
  EXPECT_EQ(same.right.size(), c.equations.right.size());
  const Smoothing again = solve_smoothing(same.problem, precise());
  EXPECT_NEAR(again.variance / full.variance, 1, 1e-6);
  for (std::size_t t = 0; t < full.weights.size(); ++t) {
    EXPECT_NEAR(again.parameters[t], full.parameters[t], 1e-4) << "term " << t;
    if (full.parameters[t] < 0.01) continue;  // a weight that runs off to infinity never arrives
    for (std::size_t k = 0; k < full.weights[t].size(); ++k)
      EXPECT_NEAR(again.weights[t][k] / full.weights[t][k], 1, 1e-4) << "term " << t << ", penalty " << k;
  }
}

TEST(Reduction, GivesTheSameWeightsInFewerDirections) {
  for (const double noise : {0.1, 0.5})
    for (const double factor : {0.1, 1.0, 10.0}) {
      SCOPED_TRACE("noise " + std::to_string(noise) + ", first weights times " + std::to_string(factor));
      Case c(noise);
      const Smoothing full = solve_smoothing(c.problem, precise());
      c.start_at(full, factor);
      const ReducedProblem fewer = reduce(c.problem, 0.01, 1);
      EXPECT_LT(fewer.right.size(), c.equations.right.size());
      const Smoothing again = solve_smoothing(fewer.problem, precise());
      EXPECT_NEAR(again.variance / full.variance, 1, 0.01);
      EXPECT_NEAR(sum(again.parameters) / sum(full.parameters), 1, 0.03);
      // Directions are judged by the first weights: where those are ten times too heavy, so is the judgement.
      const double off = factor > 1 ? 3 : 1;
      for (std::size_t t = 0; t < full.weights.size(); ++t) {
        EXPECT_NEAR(again.parameters[t], full.parameters[t], off * (0.02 * full.parameters[t] + 0.03))
            << "term " << t;
        if (full.parameters[t] < 0.5) continue;
        for (std::size_t k = 0; k < full.weights[t].size(); ++k)
          EXPECT_NEAR(again.weights[t][k] / full.weights[t][k], 1, 0.05 * off)
              << "term " << t << ", penalty " << k << " of " << full.parameters[t] << " parameters";
      }
    }
}

TEST(Reduction, MayEliminateALargeTermOfDiagonalBlock) {
  // Half of the columns are those of one term, which is then eliminated before the others are solved for.
  Case c(0.3);
  const Smoothing full = solve_smoothing(c.problem, precise());
  c.start_at(full, 1);
  ReducedProblem plain = reduce(c.problem, 0, 1);
  ReducedProblem eliminating = plain;
  eliminating.problem.gram = eliminating.gram;
  eliminating.problem.right = eliminating.right;
  for (SmoothTerm& term : plain.problem.terms) term.diagonal = false;
  ASSERT_TRUE(std::ranges::any_of(eliminating.problem.terms, &SmoothTerm::diagonal));
  const Smoothing slow = solve_smoothing(plain.problem, precise());
  const Smoothing fast = solve_smoothing(eliminating.problem, precise());
  EXPECT_EQ(fast.iterations, slow.iterations);
  EXPECT_NEAR(fast.variance / slow.variance, 1, 1e-9);
  for (std::size_t t = 0; t < slow.parameters.size(); ++t)
    EXPECT_NEAR(fast.parameters[t], slow.parameters[t], 1e-6) << "term " << t;
  for (std::size_t i = 0; i < slow.solution.size(); ++i)
    EXPECT_NEAR(fast.solution[i], slow.solution[i], 1e-6) << "column " << i;
  ASSERT_EQ(fast.inverse_factor.size(), slow.inverse_factor.size());
  for (std::size_t i = 0; i < slow.inverse_factor.size(); ++i)
    ASSERT_NEAR(fast.inverse_factor[i], slow.inverse_factor[i],
                1e-5 * (1 + std::abs(slow.inverse_factor[i])));
}

TEST(Reduction, MayLeaveTheWeakestDirectionsOutOfAStep) {
  Case c(0.3);
  const Smoothing full = solve_smoothing(c.problem, precise());
  c.start_at(full, 1);
  const ReducedProblem all = reduce(c.problem, 0, 1);
  SmoothingOptions fewer = precise();
  fewer.negligible_share = 0.02;
  const Smoothing some = solve_smoothing(all.problem, fewer);
  const Smoothing every = solve_smoothing(all.problem, precise());
  EXPECT_EQ(every.columns.size(), all.right.size());
  ASSERT_LT(some.columns.size(), every.columns.size());
  EXPECT_EQ(some.inverse_factor.size(), some.columns.size() * some.columns.size());
  for (std::size_t i = 0; i < some.solution.size(); ++i)
    if (std::ranges::find(some.columns, i) == some.columns.end()) {
      EXPECT_EQ(some.solution[i], 0);
    }
  EXPECT_NEAR(some.variance / every.variance, 1, 0.01);
  for (std::size_t t = 0; t < every.parameters.size(); ++t)
    EXPECT_NEAR(some.parameters[t], every.parameters[t], 0.05 * every.parameters[t] + 0.05) << "term " << t;
}

TEST(Reduction, SolvesTheSameEquationsInItsDirections) {
  // Whatever the directions, a fit in all of them explains as much of the target.
  Case c(0.3);
  Smoothing weights;
  for (const SmoothTerm& term : c.problem.terms) weights.weights.emplace_back(term.penalties.size(), 0.2);
  c.start_at(weights, 1);
  SmoothingOptions once = precise();
  once.iterations = 0;
  const ReducedProblem same = reduce(c.problem, 0, 1);
  const Smoothing full = solve_smoothing(c.problem, once);
  const Smoothing again = solve_smoothing(same.problem, once);
  double explained = 0;
  double explained_again = 0;
  for (std::size_t i = 0; i < full.solution.size(); ++i) {
    explained += full.solution[i] * c.equations.right[i];
    explained_again += again.solution[i] * same.right[i];
  }
  EXPECT_NEAR(explained_again / explained, 1, 1e-9);
}

TEST(Reduction, KeepsTermsWithoutAFirstWeightAsTheyAre) {
  Case c(0.3);
  const ReducedProblem same = reduce(c.problem, 0.5, 1);
  EXPECT_EQ(same.right, c.equations.right);
  const std::size_t p = same.right.size();
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t i = j; i < p; ++i)
      ASSERT_EQ(same.gram[j * p + i], c.equations.matrix[j * p + i]) << i << ", " << j;
}

TEST(Reduction, KeepsAtLeastOneDirectionOfEveryTerm) {
  Case c(0.3);
  Smoothing heavy;
  for (const SmoothTerm& term : c.problem.terms) heavy.weights.emplace_back(term.penalties.size(), 1e12);
  c.start_at(heavy, 1);
  const ReducedProblem fewest = reduce(c.problem, 0.5, 1);
  for (const SmoothTerm& term : fewest.problem.terms) EXPECT_GE(term.columns, 1U);
  EXPECT_EQ(fewest.problem.terms[4].columns, 1U);
  EXPECT_EQ(fewest.problem.terms[8].columns, 1U);
}

TEST(Reduction, GivesTheSameBitsOnAnyNumberOfThreads) {
  Case c(0.3);
  c.start_at(solve_smoothing(c.problem, {}), 1);
  const ReducedProblem alone = reduce(c.problem, 0.01, 1);
  const ReducedProblem together = reduce(c.problem, 0.01, 3);
  EXPECT_TRUE(together.gram == alone.gram);
  EXPECT_TRUE(together.right == alone.right);
}

}  // namespace
}  // namespace kore
