#include "grow/stage.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "grow/directed_fit.hpp"
#include "grow/iterated_fit.hpp"
#include "pass/dense_pass.hpp"
#include "penalty/reduction.hpp"
#include "penalty/roughness.hpp"
#include "solve/dense.hpp"
#include "solve/normal_equations.hpp"

namespace kore {
namespace {

// Directions of a term with fewer effective parameters than this do not take part in solving for weights.
constexpr double negligible_parameters = 0.01;
// From `columns_worth_threads` on a step takes long, and main effects are solved for less precisely: this
// much of the restricted log-likelihood may be left to gain.
constexpr double enough_of_many = 0.1;
constexpr double smallest_ridge = 1e-12;  // relative to the mean diagonal entry, as is ...
constexpr double largest_ridge = 1e-4;    // ... this one; a larger ridge would change the fit visibly

SmoothingProblem smoothing_problem(const Response& response, const Design& design,
                                   const NormalEquations& equations, std::span<const GrownTerm> terms) {
  SmoothingProblem problem{
      equations.matrix, equations.right, equations.target_squares, equations.count_sum, {}, {}};
  problem.known_dispersion = response.known_dispersion();
  for (std::size_t t = 0; t < terms.size(); ++t)
    problem.terms.push_back({design.offset(t), design.term_columns(t), term_penalties(design, t),
                             terms[t].may_vanish(), terms[t].weights});
  return problem;
}

void fit(const GrowingData& data, const Design& design, const NormalEquations& equations, bool dense,
         Stage& stage) {
  std::optional<PhaseTimer> timer(std::in_place, data.phases, "solution");
  SmootherOptions options = smoother_options(data);
  options.penalties = stage.penalties;
  options.dense_leverages = dense;
  options.leverages = data.leave_rows_out;
  RidgeFit fitted = fit_with_enough_ridge(design, equations, std::move(options));
  stage.smoother = std::move(fitted.smoother);
  stage.ridge = fitted.ridge;
  if (fitted.raised) stage.convergence.raised_ridge = fitted.ridge;
  stage.function = std::make_shared<FittedFunction>(
      FittedFunction{design, stage.smoother->intercept(), stage.smoother->coefficients()});
  if (!data.leave_rows_out) return;
  timer.reset();
  const PhaseTimer leaving_out(data.phases, "leave-one-out");
  stage.loo_residuals.resize(data.rows.rows());
  stage.left_out_losses.resize(data.rows.rows());
  stage.press =
      stage.smoother->press(data.rows, data.threads, {stage.loo_residuals, {}, stage.left_out_losses});
  add_within_squares(data, stage);
}

/// What a stage is, without how it was fitted.
Stage without_fit(const Stage& stage) {
  Stage plain;
  plain.kind = stage.kind;
  plain.noise_variance = stage.noise_variance;
  plain.convergence = stage.convergence;
  plain.chance_gain = stage.chance_gain;
  plain.shrinkage = stage.shrinkage;
  plain.terms = stage.terms;
  plain.penalties = stage.penalties;
  return plain;
}

/// The terms of a stage fitted in all columns, with the penalties that it has.
Stage fit_again(const GrowingData& data, const Design& design, const Stage& stage,
                const Iteration& iteration) {
  const bool dense = dense_is_cheaper(design, data.rows.rows());
  return iterate(data, iteration, [&](const GrowingData& at, const Stage*) {
    Stage next = without_fit(stage);
    fit(at, design, equations_of(at, design), dense, next);
    return next;
  });
}

bool acts_by_value(const Term& term, std::size_t feature) {
  for (std::size_t c = 0; c < term.order(); ++c)
    if (term.features[c] == feature && term.resolutions[c] == each_value) return true;
  return false;
}

bool has_interactions(std::span<const GrownTerm> terms) {
  return std::ranges::any_of(terms, [](const GrownTerm& grown) { return grown.term.order() > 1; });
}

/// Least squares on the working rows of the data, with penalty weights that are solved for.
Stage penalised_step(const GrowingData& data, const std::vector<GrownTerm>& terms) {
  const Design design = design_of(data, terms);
  const bool dense = dense_is_cheaper(design, data.rows.rows());
  constexpr std::size_t most_numbers = std::size_t{1} << 25U;  // 256 MB of dense rows
  const bool many = dense || design.columns() >= columns_worth_threads;
  const bool by_value =
      std::ranges::any_of(terms, [](const GrownTerm& grown) { return grown.term.by_value(); });
  if ((by_value || (many && has_interactions(terms))) && data.rows.rows() * design.columns() <= most_numbers)
    return fit_in_directions(data, design, terms);
  const NormalEquations equations = equations_of(data, design);
  PenaltySolution solved = solve_penalties(data, design, equations, terms);
  Stage stage;
  stage.noise_variance = solved.noise_variance;
  stage.convergence = solved.convergence;
  stage.penalties = std::move(solved.penalties);
  stage.terms = std::move(solved.terms);
  fit(data, design_of(data, stage.terms), restrict_to(design, equations, solved.alive), dense, stage);
  return stage;
}

}  // namespace

const char* phase_of(const GrowingData& data, std::span<const GrownTerm> terms) {
  std::size_t order = 1;
  bool curved = false;
  for (const GrownTerm& grown : terms) {
    order = std::max(order, grown.term.order());
    for (const std::size_t j : grown.term.features)
      curved = curved || data.features[j].kind == FeatureKind::spline;
  }
  constexpr std::array names{"lines", "main effects", "pairs", "triples"};
  return names[order == 1 && !curved ? 0 : order];
}

void add_within_squares(const GrowingData& data, Stage& stage) {
  stage.press.loss += data.within_squares;
  stage.press.left_out_loss += data.within_squares;
  // A row of weight zero does not count, and may have any value.
  for (std::size_t r = 0; r < data.rows.rows(); ++r)
    if (data.rows.weight(r) == 0) stage.loo_residuals[r] = 0;
}

SmoothingOptions smoothing_options(const GrowingData& data, bool many_main_effects) {
  SmoothingOptions options;
  options.threads = data.threads;
  options.iterations = data.penalty_steps;
  // Which interactions vanish may depend on small differences, so these are solved precisely. Main effects
  // never vanish.
  if (many_main_effects) options.likelihood_tolerance = enough_of_many;
  return options;
}

Convergence convergence_of(const Smoothing& solved) {
  Convergence convergence;
  convergence.settled = solved.settled;
  convergence.steps = solved.iterations;
  convergence.raised_weight_ridge = solved.raised_jitter;
  return convergence;
}

GrowingData straightened(GrowingData data) {
  for (Coordinate& coordinate : data.coordinates) {
    if (coordinate.feature.kind != FeatureKind::spline) continue;
    coordinate.feature.warp = {};
    if (becomes_line(coordinate.feature)) coordinate.feature.kind = FeatureKind::linear;
    coordinate.finest = std::min(coordinate.finest, coordinate.coarsest());
  }
  data.features = features_of(data.coordinates);
  return data;
}

GrowingData without_warps(GrowingData data) {
  for (Coordinate& coordinate : data.coordinates) coordinate.feature.warp = {};
  data.features = features_of(data.coordinates);
  return data;
}

double constant_of(const Response& response, const RowBlock& rows) {
  double sum = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    if (rows.weight(r) > 0) sum += rows.weight(r) * rows.y[r];
  return response.link(sum / weight_sum_of(rows));
}

Range limits_of(const GrowingData& data) {
  SeenTargets seen{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t r = 0; r < data.rows.rows(); ++r) {
    if (data.rows.weight(r) == 0) continue;
    seen.lowest = std::min(seen.lowest, data.rows.y[r]);
    seen.highest = std::max(seen.highest, data.rows.y[r]);
  }
  seen.count_sum = weight_sum_of(data.rows);
  seen.mean = data.response->mean(data.constant_predictor);
  const PredictorLimits limits = data.response->limits(seen);
  return {limits.lowest, limits.highest};
}

WorkingBlock working_rows_of(const GrowingData& data, WorkingMemory& memory) {
  if (data.response->fits_in_one_step()) return working_block(data.rows, *data.response, memory);
  const std::vector<double> predictor = predictors_of(data);
  const WorkingRows rows = data.response->working_rows(data.rows.y, data.rows.weights, predictor, memory);
  return {data.rows.x, rows.target, rows.weights, data.rows.weights};
}

std::vector<double> predictors_of(const GrowingData& data) {
  return data.predictor ? *data.predictor : std::vector<double>(data.rows.rows(), data.constant_predictor);
}

GrowingData at_stage(GrowingData data, const Stage& stage) {
  data.predictor = stage.predictor;
  return data;
}

double left_out_variance(const GrowingData& data, const Stage& stage) {
  if (data.response->fits_in_one_step()) return stage.loo();
  return stage.noise_variance * stage.press.left_out_loss / std::max(stage.press.loss, 1e-300);
}

double weight_sum_of(const RowBlock& rows) {
  double weight = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) weight += rows.weight(r);
  return weight;
}

std::vector<GrownTerm> main_effects(const GrowingData& data, int resolution) {
  std::vector<GrownTerm> terms;
  for (std::size_t j = 0; j < data.coordinates.size(); ++j)
    if (data.coordinates[j].finest > 0) terms.push_back({term_at(data.coordinates, {j}, resolution)});
  return terms;
}

std::size_t Stage::order() const {
  std::size_t order = 1;
  for (const GrownTerm& grown : terms) order = std::max(order, grown.term.order());
  return order;
}

int Stage::resolution(std::size_t least_order) const {
  int finest = 1;
  for (const GrownTerm& grown : terms)
    if (grown.term.order() >= least_order)
      finest = std::max(finest, std::ranges::max(grown.term.resolutions));
  return finest;
}

int Stage::main_resolution() const {
  int finest = 1;
  for (const GrownTerm& grown : terms)
    if (grown.term.order() == 1) finest = std::max(finest, grown.term.resolutions[0]);
  return finest;
}

Design design_of(const GrowingData& data, std::span<const GrownTerm> terms) {
  std::vector<Term> plain;
  for (const GrownTerm& grown : terms) plain.push_back(grown.term);
  std::vector<Feature> features = data.features;
  for (std::size_t j = 0; j < features.size(); ++j)
    if (std::ranges::none_of(plain, [&](const Term& term) { return acts_by_value(term, j); }))
      features[j].repeated.clear();  // a model keeps the values that it uses
  return {std::move(features), std::move(plain), data.degree, Parametrisation::centred};
}

NormalEquations equations_of(const GrowingData& data, const Design& design) {
  const PhaseTimer timer(data.phases, "sums");
  WorkingMemory memory;
  const WorkingBlock rows = working_rows_of(data, memory);
  NormalEquations equations;
  if (dense_is_cheaper(design, data.rows.rows())) {
    equations = dense_normal_equations(design, rows, data.threads);
  } else {
    GramAccumulator gram(design);
    gram.add(rows, data.threads);
    equations = normal_equations(gram, data.threads);
  }
  equations.target_squares += data.within_squares;
  return equations;
}

PenaltySolution solve_penalties(const GrowingData& data, const Design& design,
                                const NormalEquations& equations, std::span<const GrownTerm> terms) {
  const PhaseTimer timer(data.phases, "weights");
  const SmoothingProblem problem = smoothing_problem(*data.response, design, equations, terms);
  const bool all_stay = std::ranges::all_of(problem.terms, [](const SmoothTerm& t) { return !t.may_vanish; });
  const ReducedProblem reduced = reduce(problem, negligible_parameters, data.threads);
  Smoothing solved = solve_smoothing(
      reduced.problem, smoothing_options(data, all_stay && design.columns() >= columns_worth_threads));
  PenaltySolution solution;
  solution.noise_variance = solved.variance;
  solution.convergence = convergence_of(solved);
  for (const std::size_t t : solved.alive) {
    solution.penalties.push_back({solution.terms.size(), solved.penalty(problem.terms[t], t)});
    solution.terms.push_back(
        {terms[t].term, solved.weights[t], solved.parameters[t], design.term_columns(t), terms[t].stays});
  }
  solution.alive = std::move(solved.alive);
  return solution;
}

SmootherOptions smoother_options(const GrowingData& data) {
  SmootherOptions options;
  options.ridge = data.ridge;
  options.relative_ridge = data.relative_ridge;
  options.inverse_limit = data.inverse_limit;
  options.response = data.response;
  if (!data.response->fits_in_one_step()) options.constant_predictor = data.constant_predictor;
  options.threads = data.threads;
  return options;
}

double dispersion_of(const Response& response, const PressSums& press) {
  return response.known_dispersion().value_or(press.loss / std::max(press.weight_sum - press.leverage, 1.0));
}

RidgeFit fit_with_enough_ridge(const Design& design, const NormalEquations& equations,
                               SmootherOptions options) {
  const double unit = options.relative_ridge ? 1 : mean_diagonal(equations.matrix, equations.right.size());
  for (bool raised = false;; raised = true) {
    try {
      return {std::make_unique<Smoother>(solve_equations(design, equations, options)), options.ridge, raised};
    } catch (const NotPositiveDefinite&) {
      if (options.ridge > largest_ridge * unit) throw;
    }
    options.ridge = std::max(10 * options.ridge, smallest_ridge * unit);
  }
}

Stage fit_penalised(const GrowingData& data, std::vector<GrownTerm> terms) {
  const PhaseTimer timer(data.phases, phase_of(data, terms));
  const Iteration iteration =
      data.predictor && has_interactions(terms) ? Iteration::short_one() : Iteration{};
  return iterate(data, iteration, [&](const GrowingData& at, const Stage* before) {
    return penalised_step(at, before != nullptr ? before->terms : terms);
  });
}

void complete(const GrowingData& data, Stage& stage) {
  if (data.response->fits_in_one_step() && stage.smoother) return;
  const PhaseTimer timer(data.phases, "all columns of the choice");
  const Design design = stage.function->design;
  stage = fit_again(at_stage(data, stage), design, stage, Iteration::precise());
}

void shrink(double factor, std::vector<GrownTerm>& terms, std::vector<TermPenalty>& penalties) {
  const auto interacts = [](const GrownTerm& grown) { return grown.term.order() > 1; };
  const bool mains_alone = std::ranges::none_of(terms, interacts);
  for (GrownTerm& grown : terms)
    for (double& weight : grown.weights) weight *= mains_alone || interacts(grown) ? factor : 1;
  for (TermPenalty& penalty : penalties)
    if (mains_alone || interacts(terms[penalty.term])) penalty.weight *= factor;
}

Stage fit_shrunk(const GrowingData& data, const Stage& stage, double factor) {
  const PhaseTimer timer(data.phases, "shrunk");
  Stage shrunk = without_fit(stage);
  shrunk.shrinkage = factor;
  shrink(factor, shrunk.terms, shrunk.penalties);
  return fit_again(at_stage(data, stage), stage.function->design, shrunk, {});
}

std::vector<FittedFunction> shrunk_functions(const GrowingData& data, const Stage& stage,
                                             std::span<const double> factors) {
  const PhaseTimer timer(data.phases, "shrunk");
  const Design& design = stage.function->design;  // of lines or of curves
  const NormalEquations equations =
      stage.equations ? NormalEquations{} : equations_of(at_stage(data, stage), design);
  std::vector<FittedFunction> functions;
  for (const double factor : factors) {
    SmootherOptions options = smoother_options(data);
    options.leverages = false;
    std::vector<GrownTerm> terms = stage.terms;
    options.penalties = stage.penalties;
    shrink(factor, terms, options.penalties);
    if (stage.equations) {
      functions.push_back(stage.equations->fit(terms, data.threads));
      continue;
    }
    const RidgeFit fitted = fit_with_enough_ridge(design, equations, std::move(options));
    functions.push_back({design, fitted.smoother->intercept(), fitted.smoother->coefficients()});
  }
  return functions;
}

Stage fit_unpenalised(const GrowingData& data, std::vector<GrownTerm> terms) {
  const Design design = design_of(data, terms);
  Stage stage;
  stage.terms = std::move(terms);
  for (std::size_t t = 0; t < stage.terms.size(); ++t) stage.terms[t].columns = design.term_columns(t);
  stage = fit_again(data, design, stage, {});
  stage.noise_variance = dispersion_of(*data.response, stage.press);
  return stage;
}

}  // namespace kore
