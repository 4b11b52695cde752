#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grow/coordinates.hpp"
#include "kore/rows.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// A term on its way through the stages of a growing model.
struct GrownTerm {
  Term term;
  std::vector<double> weights = {};  ///< One for each of its penalties; empty: not solved for yet.
  double parameters = 0;             ///< Effective number.
  std::size_t columns = 0;
  bool stays = false;  ///< However little of it is left: an interaction that was asked for.
};

/// What all stages share.
struct GrowingData {
  RowBlock rows;  ///< In memory; the target less its mean, in units near its deviation.
  std::vector<Coordinate> coordinates;
  std::vector<Feature> features;
  int degree = 3;
  double ridge = 1e-10;
  bool relative_ridge = true;   ///< To the mean diagonal entry.
  double inverse_limit = 1e12;  ///< As in SmootherOptions.
  int threads = 1;
};

/// The same with a straight line in place of every curve.
GrowingData straightened(GrowingData data);
/// The same with knots evenly spaced in the features themselves, of which the law speaks. Where there is next
/// to no noise that matters: behind a warp, which has corners, a smooth function is smooth no more.
GrowingData without_warps(GrowingData data);

/// The number of rows that the weights amount to.
double weight_sum_of(const RowBlock& rows);

/// A term for every feature that varies.
std::vector<GrownTerm> main_effects(const GrowingData& data, int resolution);

/// A fit of some terms, with its exact leave-one-out errors.
struct Stage {
  std::vector<GrownTerm> terms;
  double noise_variance = 0;  ///< Variance, as the restricted likelihood has it.
  std::unique_ptr<Smoother> smoother;
  PressSums press;
  std::vector<double> loo_residuals;
  std::vector<TermPenalty> penalties;
  double ridge = 0;
  /// How many nats its interactions would have gained by luck: of each, the logarithm of how many candidates
  /// competed for its place.
  double chance_gain = 0;

  double loo() const { return press.loo(); }
  std::size_t order() const;
  /// Of the finest coordinate in a term of at least this order, and of the finest main effect.
  int resolution(std::size_t least_order) const;
  int main_resolution() const;
};

Design design_of(const GrowingData& data, std::span<const GrownTerm> terms);

/// Terms with their penalty weights solved for.
struct PenaltySolution {
  std::vector<std::size_t> alive;  ///< Which of the terms asked for are left, rising.
  std::vector<GrownTerm> terms;    ///< Those.
  std::vector<TermPenalty> penalties;
  double noise_variance = 0;
};
struct NormalEquations;
PenaltySolution solve_penalties(const GrowingData& data, const Design& design,
                                const NormalEquations& equations, std::span<const GrownTerm> terms);

SmootherOptions smoother_options(const GrowingData& data);
/// Raises the ridge where the noise is so small that nothing else holds nearly dependent columns apart.
/// Returns the ridge that was enough, relative where it was, and throws NotPositiveDefinite where none is.
std::pair<std::unique_ptr<Smoother>, double> fit_with_enough_ridge(const Design& design,
                                                                   const NormalEquations& equations,
                                                                   SmootherOptions options);

/// Solves for the penalty weight of every term, from the weights it brings, drops interactions of which
/// nothing is left, and fits what remains.
Stage fit_penalised(const GrowingData& data, std::vector<GrownTerm> terms);
/// The paper's fit: no penalty but the ridge. Throws NotPositiveDefinite where that has no solution.
Stage fit_unpenalised(const GrowingData& data, std::vector<GrownTerm> terms);

}  // namespace kore
