#include "grow/full_fit.hpp"

#include <algorithm>
#include <cmath>

#include "grow/candidates.hpp"
#include "pass/dense_pass.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "penalty/reduction.hpp"
#include "solve/normal_equations.hpp"

namespace kore {
namespace {

NormalEquations sums_of(const GrowingData& sample, const Design& design, const RowSource& source,
                        std::size_t rows) {
  if (dense_is_cheaper(design, rows))
    return dense_normal_equations(design, source, sample.threads, *sample.response);
  return normal_equations(gram_of(source, design, GramBlocks::all, sample.threads, *sample.response),
                          sample.threads);
}

std::vector<GrownTerm> with_finer_mains(const GrowingData& data, std::vector<GrownTerm> terms, double factor,
                                        int most) {
  for (GrownTerm& grown : terms) {
    const std::size_t j = grown.term.features.front();
    if (grown.term.order() > 1 || data.features[j].kind != FeatureKind::spline) continue;
    int& resolution = grown.term.resolutions.front();
    const int wanted = static_cast<int>(std::lround(factor * resolution));
    resolution = std::max(resolution, std::min({wanted, data.coordinates[j].finest, most}));
  }
  return terms;
}

std::vector<GrownTerm> for_more_rows(const GrowingData& data, const std::vector<GrownTerm>& terms,
                                     double times, const FullFitLimits& limits) {
  constexpr double not_worth_it = 1.02;
  double factor = std::pow(times, 1.0 / (2 * (data.degree + 1) + 1));
  while (factor > not_worth_it) {
    std::vector<GrownTerm> finer = with_finer_mains(data, terms, factor, limits.max_resolution_main);
    if (columns_of(data, finer) <= limits.max_columns) return finer;
    factor = (1 + factor) / 2;
  }
  return terms;
}

}  // namespace

FullFit fit_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised, const RowSource& source,
                     const FullFitLimits& limits) {
  GrowingData seen = sample;
  seen.features = chosen.function->design.features();  // with or without warps
  std::vector<GrownTerm> terms =
      for_more_rows(seen, chosen.terms, limits.weight_sum / chosen.press.weight_sum, limits);
  const Design design = design_of(seen, terms);
  NormalEquations equations = sums_of(sample, design, source, limits.rows);
  SmootherOptions options = smoother_options(sample);
  double noise_variance = 0;
  Convergence convergence;
  if (penalised) {
    // With more rows the same penalty counts less, so the first weights grow with the rows.
    const double growth = equations.count_sum / chosen.press.weight_sum;
    for (GrownTerm& grown : terms)
      for (double& weight : grown.weights) weight *= growth;
    PenaltySolution solved = solve_penalties(sample, design, equations, terms);
    options.penalties = std::move(solved.penalties);
    terms = std::move(solved.terms);
    shrink(chosen.shrinkage, terms, options.penalties);
    noise_variance = solved.noise_variance;
    convergence = solved.convergence;
    equations = restrict_to(design, equations, solved.alive);
  }
  const Design left = design_of(seen, terms);
  options.dense_leverages = dense_is_cheaper(left, limits.rows);
  const RidgeFit fitted = fit_with_enough_ridge(left, equations, options);
  if (fitted.raised) convergence.raised_ridge = fitted.ridge;
  Smoother& smoother = *fitted.smoother;
  const Smoother* const fits[]{&smoother};
  PressPass pass(fits);
  source.run(pass, sample.threads);
  const PressSums press = pass.sums().front();
  if (!penalised) noise_variance = dispersion_of(*sample.response, press);
  return {std::move(terms), std::move(equations), std::move(smoother), press,
          noise_variance,   fitted.ridge,         convergence,         pass.high_leverages().front()};
}

double linear_loo(const GrowingData& data) {
  const GrowingData lines = straightened(data);
  return fit_unpenalised(lines, main_effects(lines, 1)).loo();
}

}  // namespace kore
