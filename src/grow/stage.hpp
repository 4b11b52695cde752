#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grow/coordinates.hpp"
#include "kore/convergence.hpp"
#include "kore/phases.hpp"
#include "kore/response.hpp"
#include "kore/rows.hpp"
#include "kore/smoother.hpp"
#include "pass/gram_passes.hpp"
#include "penalty/smoothing.hpp"

namespace kore {

/// A term of a growing model.
struct GrownTerm {
  Term term;
  std::vector<double> weights = {};  ///< One for each of its penalties; empty: not solved for yet.
  double parameters = 0;             ///< Effective number.
  std::size_t columns = 0;
  bool stays = false;  ///< Never dropped, even if it vanishes: an interaction that was asked for.

  /// Interactions and effects of single values; a curve stays, as small as its penalty makes it.
  bool may_vanish() const { return !stays && (term.order() > 1 || term.by_value()); }
};

/// What all stages share.
struct GrowingData {
  RowBlock rows;  ///< In memory; the target less its mean, over a power of two near its deviation.
  /// Where a row stands for several with the same features: the squared distances of their targets from its
  /// own, added up. No fit can explain them.
  double within_squares = 0;
  const Response* response = &normal_response();
  /// Of the constant model. 0 for the normal response, because the target is less its mean.
  double constant_predictor = 0;
  /// Where the working rows of a response with a link are taken: a predictor for each row. Null: that of the
  /// constant model.
  std::shared_ptr<const std::vector<double>> predictor = {};
  bool leave_rows_out = true;  ///< Fits have their left-out losses. False in all but the last step of a fit.
  std::vector<Coordinate> coordinates;
  std::vector<Feature> features;
  /// The features before any row shaped them: without warps, and with the kinds that the caller gave.
  std::vector<Feature> given_features;
  std::vector<int> max_resolutions;  ///< Of each feature; 0 is no limit of its own. May be empty.
  RangesOf ranges = RangesOf::rows;
  /// How predictions for left-out rows continue curves outside the range of the others.
  Extrapolation extrapolation = Extrapolation::linear;
  bool limited = true;  ///< Predictions for left-out rows stay near the targets of the others.
  int degree = 3;
  double ridge = 1e-10;
  bool relative_ridge = true;                         ///< To the mean diagonal entry.
  double inverse_limit = 1e12;                        ///< As in SmootherOptions.
  int penalty_steps = SmoothingOptions{}.iterations;  ///< The most that lead to the penalty weights.
  int threads = 1;
  PhaseTimes* phases = nullptr;  ///< Where fits record how long they took; may be null.
};

/// The same with a straight line in place of every curve. A line that meets itself is level: of a cyclic
/// feature the simplest curve is left.
GrowingData straightened(GrowingData data);
inline bool becomes_line(const Feature& feature) {
  return feature.kind == FeatureKind::spline && !feature.cyclic;
}
/// The same with knots evenly spaced in the features themselves, as the law assumes. This matters where there
/// is almost no noise: a warp has corners, and a smooth function has them too as a function of the warped
/// value.
GrowingData without_warps(GrowingData data);

/// The range that predictors for new rows may have: as far as the targets of the rows say anything.
Range limits_of(const GrowingData& data);
/// The predictor of the constant model of these rows.
double constant_of(const Response& response, const RowBlock& rows);
/// The working rows of the data; what has to be computed lives in `memory`.
WorkingBlock working_rows_of(const GrowingData& data, WorkingMemory& memory);
/// The predictors of the data: those that working rows are taken at.
std::vector<double> predictors_of(const GrowingData& data);
/// The sum of the row weights.
double weight_sum_of(const RowBlock& rows);
/// A term for every feature that varies.
std::vector<GrownTerm> main_effects(const GrowingData& data, int resolution);

/// The steps of growth, from simple to rich.
enum class StageKind {
  constant,
  // The few terms that matter most (fewer_terms.hpp):
  one_term,
  two_terms,
  three_terms,
  five_terms,
  eight_terms,
  thirteen_terms,
  lines,
  main_effects,
  unpenalised_main_effects,
  value_effects,  ///< Main effects, and effects of single values of numbers that repeat.
  certain_pairs,  ///< Those whose gain is beyond chance.
  pairs,
  unpenalised_pairs,
  triples,
};

struct DirectedEquations;

/// A fit of some terms, with its exact left-out losses.
struct Stage {
  StageKind kind = StageKind::main_effects;
  std::vector<GrownTerm> terms;
  double noise_variance = 0;  ///< The dispersion: known, or estimated by the restricted likelihood.
  std::shared_ptr<const FittedFunction> function;
  /// The fit in all columns; null where interactions were fitted in their strong directions alone.
  std::unique_ptr<Smoother> smoother;
  std::shared_ptr<const DirectedEquations> equations;  ///< Of the strong directions, where they were fitted.
  PressSums press;
  /// Left-out residuals of the working target, and left-out losses; both are 0 where a row does not count.
  std::vector<double> loo_residuals;
  std::vector<double> left_out_losses;
  std::vector<TermPenalty> penalties;
  double ridge = 0;
  Convergence convergence;
  /// The gain of its interactions that is expected by chance: for each, the logarithm of how many candidates
  /// competed for its place.
  double chance_gain = 0;
  double shrinkage = 1;  ///< What the solved weights were multiplied by, as in `fit_shrunk`.
  /// Of the rows, where the response has a link: those that the fit was solved at. Otherwise null.
  std::shared_ptr<const std::vector<double>> predictor = {};

  double loo() const { return press.loo(); }
  std::size_t order() const;
  /// The finest resolution of a term of at least this order, and of a main effect.
  int resolution(std::size_t least_order) const;
  int main_resolution() const;
};

/// The data with their working rows taken where a stage was solved.
GrowingData at_stage(GrowingData data, const Stage& stage);
/// What left-out residuals of a stage vary by if nothing is left to explain: the noise that screening sees.
double left_out_variance(const GrowingData& data, const Stage& stage);

Design design_of(const GrowingData& data, std::span<const GrownTerm> terms);

/// Terms with their penalty weights solved for.
struct PenaltySolution {
  std::vector<std::size_t> alive;  ///< Positions of the terms that have not vanished, rising.
  std::vector<GrownTerm> terms;    ///< The terms at these positions.
  std::vector<TermPenalty> penalties;
  double noise_variance = 0;
  Convergence convergence;
};
struct NormalEquations;
/// The least-squares problem of the rows, without penalties.
NormalEquations equations_of(const GrowingData& data, const Design& design);
PenaltySolution solve_penalties(const GrowingData& data, const Design& design,
                                const NormalEquations& equations, std::span<const GrownTerm> terms);

SmootherOptions smoother_options(const GrowingData& data);
/// The dispersion: the response's own, or the loss of a fit without penalties per degree of freedom.
double dispersion_of(const Response& response, const PressSums& press);
/// Fits, and raises the ridge where columns are nearly dependent and the penalties are too small to help.
/// The ridge is relative if `options.relative_ridge`. Throws NotPositiveDefinite where no ridge is enough.
struct RidgeFit {
  std::unique_ptr<Smoother> smoother;
  double ridge = 0;
  bool raised = false;
};
RidgeFit fit_with_enough_ridge(const Design& design, const NormalEquations& equations,
                               SmootherOptions options);

/// What a fit of these terms is called among the phases.
const char* phase_of(const GrowingData& data, std::span<const GrownTerm> terms);

SmoothingOptions smoothing_options(const GrowingData& data, bool many_main_effects);
Convergence convergence_of(const Smoothing& solved);
/// Squares between rows that were merged, which no fit can explain, belong to every loss.
void add_within_squares(const GrowingData& data, Stage& stage);

/// Solves for the penalty weights of every term, starting from those it has, drops interactions that vanish,
/// and fits the rest; where dense rows are cheaper, in their strong directions (directed_fit.hpp).
Stage fit_penalised(const GrowingData& data, std::vector<GrownTerm> terms);
/// Makes the fit in all columns, with the same weights, of a stage that was fitted in fewer directions.
void complete(const GrowingData& data, Stage& stage);
/// The terms of a stage fitted again in all columns, with the penalty weights of its interactions multiplied
/// by `factor`; those of its main effects where it has no interactions.
Stage fit_shrunk(const GrowingData& data, const Stage& stage, double factor);
/// Multiplies these weights, and the penalties.
void shrink(double factor, std::vector<GrownTerm>& terms, std::vector<TermPenalty>& penalties);
/// The same for several factors, without leave-one-out, and in the directions that the stage was fitted in.
std::vector<FittedFunction> shrunk_functions(const GrowingData& data, const Stage& stage,
                                             std::span<const double> factors);
/// The paper's fit: no penalty but the ridge. Throws NotPositiveDefinite where that has no solution.
Stage fit_unpenalised(const GrowingData& data, std::vector<GrownTerm> terms);

}  // namespace kore
