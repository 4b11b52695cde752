#include "grow/full_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grow/candidates.hpp"
#include "pass/dense_pass.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/weighed_source.hpp"
#include "penalty/reduction.hpp"
#include "solve/normal_equations.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

NormalEquations sums_of(const GrowingData& sample, const Design& design, const RowSource& source,
                        std::size_t rows) {
  const PhaseTimer timer(sample.phases, "sums");
  // Rows of a source that hands out working rows are summed as they are.
  const Response& response = sample.response->fits_in_one_step() ? *sample.response : normal_response();
  if (dense_is_cheaper(design, rows)) return dense_normal_equations(design, source, sample.threads, response);
  return normal_equations(gram_of(source, design, GramBlocks::all, sample.threads, response), sample.threads);
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

/// A fit to all rows, without leave-one-out.
struct Solution {
  std::vector<GrownTerm> terms;  ///< With the weights that were solved for.
  std::vector<GrownTerm> shrunk;
  NormalEquations equations;
  RidgeFit fitted;
  double noise_variance = 0;
  Convergence convergence;

  FittedFunction function() const {
    const Smoother& smoother = *fitted.smoother;
    return {smoother.design(), smoother.intercept(), smoother.coefficients()};
  }
};

/// How much more than solved the weights are, for all rows. They are too small on average where rows are few;
/// with `1 / sample_share` times the rows that is so much less so. A response with a link says little about a
/// row, and the best of the shrunk models is often the best by chance; in all rows its harm would stay.
double shrinkage_for_all_rows(const GrowingData& sample, const Stage& chosen, double sample_share) {
  return sample.response->fits_in_one_step() ? chosen.shrinkage : std::pow(chosen.shrinkage, sample_share);
}

/// Least squares on the rows of a source, which are working rows where the response has a link.
Solution solve_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised,
                        std::vector<GrownTerm> terms, const RowSource& source, const FullFitLimits& limits) {
  const Design design = design_of(sample, terms);
  Solution solution;
  solution.equations = sums_of(sample, design, source, limits.rows);
  NormalEquations& equations = solution.equations;
  if (!sample.response->fits_in_one_step()) equations.count_sum = limits.weight_sum;
  SmootherOptions options = smoother_options(sample);
  if (penalised) {
    PenaltySolution solved = solve_penalties(sample, design, equations, terms);
    options.penalties = std::move(solved.penalties);
    terms = std::move(solved.terms);
    solution.terms = terms;
    shrink(shrinkage_for_all_rows(sample, chosen, chosen.press.weight_sum / limits.weight_sum), terms,
           options.penalties);
    solution.noise_variance = solved.noise_variance;
    solution.convergence = solved.convergence;
    equations = restrict_to(design, equations, solved.alive);
  } else {
    solution.terms = terms;
  }
  solution.shrunk = std::move(terms);
  const Design left = design_of(sample, solution.shrunk);
  options.dense_leverages = dense_is_cheaper(left, limits.rows);
  solution.fitted = fit_with_enough_ridge(left, equations, options);
  if (solution.fitted.raised) solution.convergence.raised_ridge = solution.fitted.ridge;
  return solution;
}

/// How much the loss of all rows changes between two functions, as the sample tells: to second order, the
/// working weights (the larger ones of both) times the squared differences of the predictors.
double loss_between(const GrowingData& sample, const FittedFunction& before, const FittedFunction& after,
                    double weight_sum) {
  const auto values_of = [&](const FittedFunction& fit) {
    std::vector<double> values(sample.rows.rows());
    evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, sample.rows.x, values,
                  sample.threads);
    return values;
  };
  const std::vector<double> from = values_of(before);
  const std::vector<double> to = values_of(after);
  const RowBlock& rows = sample.rows;
  WorkingMemory memories[2];
  const WorkingRows first = sample.response->working_rows(rows.y, rows.weights, from, memories[0]);
  const WorkingRows last = sample.response->working_rows(rows.y, rows.weights, to, memories[1]);
  double change = 0;
  for (std::size_t r = 0; r < to.size(); ++r)
    if (rows.weight(r) > 0)
      change += std::max(first.weights[r], last.weights[r]) * std::pow(to[r] - from[r], 2);
  return change * weight_sum / weight_sum_of(sample.rows);
}

/// What one more step would change, about: each step of Newton's method changes less by a factor that falls
/// too, and the last two tell that of now. After the first there is nothing to tell it by.
double next_change(std::optional<double> before, double change) {
  return before && *before > 0 ? change * std::min(change / *before, 1.0) : change;
}

/// Newton's method over all rows: working rows are made where the rows are, from the function before. The
/// first steps are held back (`RowWeighing`), because the sample's function may be sure of rows that it has
/// not seen and that say the opposite; there is no pass to see that a step went too far. When little changes
/// any more, steps are free.
Solution iterate_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised,
                          std::vector<GrownTerm> terms, const RowSource& source,
                          const FullFitLimits& limits) {
  constexpr int most_steps = 20;
  constexpr double negligible = 0.05;  // change of the loss, in units of the dispersion
  constexpr double little = 10;        // the same
  constexpr double held_back = 10;     // units of the predictor
  FittedFunction function = *chosen.function;
  double longest_step = held_back;
  std::optional<double> before;
  for (int step = 1;; ++step) {
    const WeighedSource working(
        source, RowWeighing(function, sample.response->name(), sample.response->parameter(), longest_step),
        sample.threads);
    Solution solution = solve_all_rows(sample, chosen, penalised, terms, working, limits);
    FittedFunction next = solution.function();
    const double change = loss_between(sample, function, next, limits.weight_sum);
    const double unit = sample.response->known_dispersion().value_or(solution.noise_variance);
    const double smallest_unit = std::max(unit, 1e-300);
    const bool settled = next_change(before, change) <= negligible * smallest_unit;
    if (change <= little * smallest_unit) longest_step = std::numeric_limits<double>::infinity();
    if (settled || step == most_steps) {
      solution.convergence.settled = solution.convergence.settled && settled;
      return solution;
    }
    function = std::move(next);
    terms = std::move(solution.terms);
    before = change;
  }
}

}  // namespace

FullFit fit_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised, const RowSource& source,
                     const FullFitLimits& limits) {
  GrowingData seen = sample;
  seen.features = chosen.function->design.features();  // with or without warps
  const double growth = limits.weight_sum / chosen.press.weight_sum;
  std::vector<GrownTerm> terms = for_more_rows(seen, chosen.terms, growth, limits);
  // With more rows the same penalty counts less, so the first weights grow with the rows.
  for (GrownTerm& grown : terms)
    for (double& weight : grown.weights) weight *= growth;
  Solution solution = sample.response->fits_in_one_step()
                          ? solve_all_rows(seen, chosen, penalised, std::move(terms), source, limits)
                          : iterate_all_rows(seen, chosen, penalised, std::move(terms), source, limits);
  Smoother& smoother = *solution.fitted.smoother;
  const Smoother* const fits[]{&smoother};
  PressPass pass(fits);
  {
    const PhaseTimer timer(sample.phases, "leave-one-out");
    source.run(pass, sample.threads);
  }
  const PressSums press = pass.sums().front();
  if (!penalised) solution.noise_variance = dispersion_of(*sample.response, press);
  return {std::move(solution.shrunk), std::move(solution.equations),
          std::move(smoother),        press,
          solution.noise_variance,    solution.fitted.ridge,
          solution.convergence,       pass.high_leverages().front()};
}

double linear_loo(const GrowingData& data) {
  const GrowingData lines = straightened(data);
  return fit_unpenalised(lines, main_effects(lines, 1)).loo();
}

}  // namespace kore
