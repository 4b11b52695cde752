#pragma once

#include <span>
#include <string>
#include <vector>

#include "kore/model.hpp"
#include "kore/options.hpp"
#include "kore/rows.hpp"
#include "kore/screening.hpp"

/// Fitting a model to rows.
///
/// A model is a sum of terms, `f(x) = constant + sum_t f_t(x)`. Each term is a spline in one, two or three
/// features (or a level effect of a category), linear in its coefficients `c_t`. A fit minimises
///
///     sum_i w_i (y_i - f(x_i))^2  +  ridge |c|^2  +  sum_t sum_j lambda_tj c_t' S_tj c_t
///
/// over all coefficients `c`, with the row weights `w_i`, a small ridge that keeps the problem solvable, and
/// penalties: fixed positive semidefinite matrices `S_tj` that measure how rough or how large a term is, with
/// penalty weights `lambda_tj >= 0`. What is not given is chosen from the rows:
///
/// - The default method chooses the `lambda_tj` by maximising the restricted likelihood (REML). In it the
///   coefficients of a term have the prior `N(0, sigma^2 (sum_j lambda_tj S_tj)^-1)`; the penalties are made
///   so that this sum is positive definite where all weights are positive. The constant has a flat prior. The
///   ridge is no part of the prior. It acts on every column, also on the constant. The method chooses the
///   terms by growing the model from main effects to pairs and triples.
/// - The published method has no penalties. It chooses one resolution `G`, the number of knot intervals of
///   every coordinate. Leave-one-out errors at two pilot resolutions give the constants of the law (law.hpp).
///   The minimum of the law says where to look: of the resolutions around it, the pilots and, where the upper
///   pilot is the best of these, some between, the one with the smallest leave-one-out error is taken.
///
/// Both compare models by leave-one-out: the error of predicting each row by the fit to all other rows. For
/// given terms, resolutions and penalty weights it is computed exactly from the one fit (smoother.hpp). It
/// does not repeat the choice of these by the same rows; the default method adds an allowance for that,
/// `StageSummary::price`.
///
/// Scale: with `GrownOptions::target_scale` the target above is `g(y)`, the square root or the logarithm of
/// the target, and predictions are carried back to means of `y`.
///
/// Units: predictions, residuals and intervals are in the units of the target; `loo`, `noise_variance` and
/// prices are in the square of those of `g(y)`. Features may be in any units: ranges are found from the rows.
///
/// Cost: a pass over `n` rows costs `O(n)` times the squared number of functions that are not zero at a row;
/// a fit of `p` columns takes about `p^3` multiplications and `60 p^2` bytes. Memory does not grow with `n`.
namespace kore {

/// Names are for messages and reports; both may be empty.
struct Names {
  std::vector<std::string> features;
  std::string target;
};

/// Fits a model to the rows of `source`, which is read several times.
///
/// Weights count rows: a weight of 2 is a row given twice, and leave-one-out leaves out both copies. The sum
/// of the weights takes the place of `n` in every formula, so weights should add up to about the number of
/// rows. Numbers of which only the ratios matter become such weights by `precision_weights` (precision.hpp).
/// Rows may have groups (RowBlock::groups): the referee of the default method then leaves whole groups out,
/// so that the choice of the model, its stated accuracy and its intervals are those for new groups; bands of
/// effects take rows as independent all the same. A constant target gives the constant model; a constant
/// column has no effect. Throws `invalid_argument`, `invalid_data`, `not_positive_definite` or
/// `too_few_rows`: fewer than two rows, weights that add up to too little, or fewer rows than the pairs need
/// that the published method was told to fit. Also throws where there are fewer than five groups, and for
/// groups without a referee.
Model fit(const RowSource& source, const Options& options = {}, const Names& names = {});
/// The same for arrays.
Model fit(const MatrixView& x, std::span<const double> y, const Options& options = {},
          const Names& names = {});

/// Leave-one-out residuals of the rows that a model was fitted to, in their order: target minus the
/// prediction of the fit to all other rows, in units of the target. (`FitSummary::loo` is their mean square
/// on the identity scale; on others it is that of the errors on the scale of the fit.) `source` must hold
/// those rows. Costs one fit.
std::vector<double> loo_residuals(const RowSource& source, const Model& model, int threads = 0);

/// Whether this method suits the data (paper, section "Practical guidance").
struct Diagnosis {
  FitSummary summary;  ///< Of the model that a fit chooses; `structure` is taken to be automatic.
  PilotCheck pilots;   ///< The paper's go/no-go check of the pilots, with its advice.
  /// What to do, in sentences: the paper's advice as far as it concerns this fit, and how straight lines
  /// compare. The position of the pilots, which have no penalties, does not concern a fit with penalties.
  std::vector<std::string> advice;
  double additive_signal_score = 0;  ///< Signal score of the additive selection; the paper decides by it.
  bool bracketed = false;       ///< Neither neighbour of the selected additive resolution has a smaller LOO.
  bool use_kore = false;        ///< The paper's answer: additive signal score above 1, and bracketed.
  double lift_over_linear = 0;  ///< `1 - LOO / LOO of straight lines`.
};
Diagnosis diagnose(const RowSource& source, const Options& options = {}, const Names& names = {});

}  // namespace kore
