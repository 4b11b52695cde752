#include "grow/full_fit.hpp"

#include "penalty/reduction.hpp"
#include "solve/normal_equations.hpp"

namespace kore {
namespace {

NormalEquations sums_of(const Design& design, const RowSource& source, int threads) {
  if (dense_is_cheaper(design)) return dense_normal_equations(design, source, threads);
  GramAccumulator gram(design);
  source.for_each_block([&](const RowBlock& block) { gram.add(block, threads); });
  return normal_equations(gram, threads);
}

}  // namespace

FullFit fit_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised,
                     const RowSource& source) {
  std::vector<GrownTerm> terms = chosen.terms;
  GrowingData seen = sample;
  seen.features = chosen.smoother->design().features();  // with or without warps
  const Design design = design_of(seen, terms);
  NormalEquations equations = sums_of(design, source, sample.threads);
  SmootherOptions options = smoother_options(sample);
  double noise = 0;
  if (penalised) {
    // The same penalty beside more rows weighs less.
    const double growth = equations.weight / chosen.press.weight;
    for (GrownTerm& grown : terms)
      for (double& weight : grown.weights) weight *= growth;
    PenaltySolution solved = solve_penalties(sample, design, equations, terms);
    options.penalties = std::move(solved.penalties);
    terms = std::move(solved.terms);
    noise = solved.noise;
    equations = restrict_to(design, equations, solved.alive);
  }
  const Design left = design_of(seen, terms);
  options.dense_leverages = dense_is_cheaper(left);
  const auto fitted = fit_with_enough_ridge(left, equations, options);
  Smoother& smoother = *fitted.first;
  PressSums press;
  source.for_each_block([&](const RowBlock& block) { press.merge(smoother.press(block, sample.threads)); });
  if (!penalised) noise = press.residual_squares / std::max(press.weight - press.leverage, 1.0);
  return {std::move(terms), std::move(equations), std::move(smoother), press, noise, fitted.second};
}

double linear_loo(const GrowingData& data) {
  const GrowingData lines = straightened(data);
  return fit_unpenalised(lines, main_effects(lines, 1)).loo();
}

}  // namespace kore
