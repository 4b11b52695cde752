#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

struct Model;

inline constexpr std::size_t most_band_directions = 48;

/// What a term contributes to predictions, measured on the training rows. Variances are in squared units of
/// the scale of the fit (`Model::target_scale`).
struct Effect {
  double mean =
      0;  ///< Weighted mean of the term as it is in the model; subtracted from main effects when shown.
  double variance = 0;  ///< Weighted variance of the term's values.
  double share = 0;     ///< `variance` over the variance of the fitted values. Correlated terms can add up to
                        ///< more or less than 1.
  double covariance_share =
      0;  ///< Covariance with the fitted values over their variance; adds up to 1 over all terms.
  /// Mean square errors of a main effect's coefficients (raw layout, square): what bands are made of. They
  /// allow for noise and for penalty weights that the rows do not determine. Empty for interactions, and in
  /// the published method.
  std::vector<double> covariance = {};
  /// The same of a pair, as columns `F` (raw layout, one after the other) with `F F'` for the matrix. Its
  /// weakest directions are left out, with at most a fiftieth of its trace where `most_band_directions` are
  /// enough; the others make up for them. In a decomposition also of main effects, with the raw layouts of
  /// all parts one after the other. Empty for other terms, and in the published method.
  std::vector<double> covariance_factor = {};
  // NaN where the model does not hold them: in the published method, in files of older versions, and for
  // terms of very many columns.
  double parameters = unknown;  ///< Effective number of the term.
  /// Of an approximate test against no effect. It takes the term as given: that the same rows chose it makes
  /// the number of an interaction too small.
  double p_value = unknown;
  /// How much of the term the other terms could say: the share of its variance over the rows that they
  /// explain if they are fitted to it. Near 1 the effect cannot be told from theirs.
  double concurvity = unknown;

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
};

/// One of the functions that a decomposition adds up: of one feature, of two or of three.
struct ShownTerm {
  std::vector<std::size_t> features;
  /// For each feature: the function has values at `Feature::repeated` alone, beside a curve.
  std::vector<bool> by_value;
  /// The terms of `Decomposition::design` that add up to it. A main effect, for example, consists of what was
  /// fitted as one and of what was moved there from pairs, which have other knots.
  std::vector<std::size_t> parts;

  std::size_t order() const { return features.size(); }
  bool any_by_value() const;
};

/// The sum of terms of a model, `f(x) = constant + sum_t f_t(x)`, in a form to be read. It is the same
/// function, to rounding; predictions are made by the terms as fitted.
///
/// Terms as fitted have mean zero along each of their features *as if features were independent*. Where they
/// are not, interactions repeat in part what main effects say, and cancel each other. The purified form is
/// the functional ANOVA under the distribution of the training rows: an effect of two features is
/// uncorrelated, over the rows, with every function of either of them that its own knots allow; an effect of
/// three with every function of two of them. So a main effect is the whole story of its feature, and an
/// interaction is what no simpler effect can say.
struct Decomposition {
  Design design;  ///< Of the parts; may have several of the same features, at different resolutions.
  Extrapolation extrapolation = Extrapolation::linear;  ///< That of the model.
  double constant = 0;
  std::vector<double> coefficients;  ///< Raw layout of the design.
  std::vector<ShownTerm> terms;
  std::vector<Effect> effects;  ///< One per term. Means are zero, but for interactions as fitted.
  bool purified = false;
};

/// The terms of a model as they were fitted; main effects less their means.
Decomposition as_fitted(const Model& model);
/// The purified form where the model has one, and otherwise the terms as fitted. Without interactions they
/// are the same.
Decomposition decomposition(const Model& model);

/// A term at one point (as many numbers as the term has features). Throws `out_of_range` where it is not
/// finite or the model forbids extrapolation.
double term_value(const Decomposition& shown, std::size_t term, std::span<const double> point);
/// Its standard error there, as `effect_error` of a model; NaN where it is not known.
double effect_error(const Decomposition& shown, std::size_t term, std::span<const double> point);
/// Whether `effect_error` is known.
bool has_errors(const Effect& effect);

/// What each term adds to each row. `constant` plus the contributions of a row is its sum, to rounding.
struct Explanation {
  std::vector<double> predictions;  ///< The bits of `predict`.
  /// Of all terms: what the model computes before a link or a scale carries it to the target, and before the
  /// limits of predictions.
  std::vector<double> sums;
  double constant = 0;
  std::vector<std::vector<double>> contributions;  ///< [term of the decomposition][row]
};
/// Refuses what `predict` refuses. Takes about two to three times its time.
Explanation explain(const Model& model, const Decomposition& shown, const MatrixView& x, int threads = 1,
                    std::size_t first_row = 0);

}  // namespace kore
