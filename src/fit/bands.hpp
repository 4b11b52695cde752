#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fit/purify.hpp"
#include "grow/stage.hpp"
#include "kore/model.hpp"
#include "kore/smoother.hpp"
#include "solve/normal_equations.hpp"

namespace kore {

// Bands that own up to not knowing the penalty weights.
//
// Given its weights, a fit has the posterior covariance `noise_variance A^-1`. But a weak effect often gets
// so large a weight that it is drawn as zero, and the covariance is zero too: the rows could not tell it from
// zero, and the band would claim that they did. So bands come from a second fit of the same equations, with
// loose weights (loose_weights.hpp), the solution `c0` and the matrix `A0`. If the truth is drawn from that
// posterior, its mean square distance from the effect that the model draws, with the coefficients `c`, is
//
//     noise_variance b' A0^-1 b + (b'c0 - b'c)^2
//
// at a point where the functions of the term are `b`: the variance of the loose fit, and how far the weights
// have moved the effect. The matrix of this quadratic form is what an Effect keeps.

/// A fit, and what it was solved from.
struct FitInRows {
  const Smoother& smoother;
  const NormalEquations& equations;  ///< Without penalties.
  std::span<const GrownTerm> terms;
  bool penalised = true;
  double noise_variance = 0;
  double ridge = 0;  ///< As it was solved, with ...
  bool relative_ridge = true;
  int threads = 1;
};

/// Terms of more columns have no bands, tests and concurvity: they would cost more than the fit.
inline constexpr std::size_t most_columns_with_bands = 400;

/// The fit with loose weights; without penalties, the same fit again. Where its equations are singular, it
/// has the weights of the fit. Costs a factorisation, and `p^3 / 3` operations for the blocks.
struct LooseFit {
  std::vector<TermPenalty> penalties;  ///< One for each term, of weight 1; none without penalties.
  std::unique_ptr<Smoother> smoother;
  std::vector<std::vector<double>> inverse;  ///< The block of `A0^-1` of each term with bands.
};
LooseFit loosen(const FitInRows& fit);

/// Sets the covariances of main effects, and those of pairs as factors.
void add_bands(const FitInRows& fit, const LooseFit& loose, std::vector<Effect>& effects);
/// The same of purified main effects and pairs, whose coefficients follow from those of several terms as
/// fitted. Costs `p^2` operations for each of their functions.
void add_bands(const FitInRows& fit, const LooseFit& loose, PurifiedTerms& purified);

/// `F` with `F F'` for the leading directions of a covariance: as many as hold all but a fiftieth of its
/// trace, but at most `most_band_directions`, with the whole trace. The trace counts each coefficient with
/// its scale, the mean square of its function: those at the edge of a range are large and matter little.
std::vector<double> leading_factor(std::vector<double> covariance, std::span<const double> scales);

}  // namespace kore
