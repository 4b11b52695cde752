#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kore/accuracy.hpp"
#include "kore/convergence.hpp"
#include "kore/decomposition.hpp"
#include "kore/design.hpp"
#include "kore/pilot_check.hpp"
#include "kore/response.hpp"
#include "kore/rows.hpp"
#include "kore/selector.hpp"
#include "kore/statistics.hpp"
#include "kore/target_scale.hpp"

namespace kore {

/// One of the models that were chosen between.
struct StageSummary {
  Structure structure = Structure::additive;
  bool penalised = true;
  bool lines = false;  ///< Every feature that is not a category enters as a straight line.
  std::size_t terms = 0;
  std::size_t columns = 0;
  double parameters = 0;  ///< Effective number.
  double loo = 0;
  /// An allowance, in the units of the loss, for what leave-one-out does not see: it takes penalty weights
  /// and terms as given, though the same rows chose them. `2 noise_variance / n` times 1.5 for each chosen
  /// weight, plus the gain expected by chance of the interactions. Stages are compared by `loo + price`.
  double price = 0;
  /// Mean squared error, in units of the target, on rows that took part in none of its choices; NaN where it
  /// was not judged by such rows.
  double unseen_loss = std::numeric_limits<double>::quiet_NaN();
  double shrinkage = 1;  ///< What the solved penalty weights of interactions were multiplied by.
  bool chosen = false;
  /// Leave-one-out error on all rows of a stage that a sample chose; NaN where it was not fitted to them.
  double all_rows_loo = std::numeric_limits<double>::quiet_NaN();
  bool by_value = false;  ///< Some terms are effects of single values of a number.
  /// Standard error of `unseen_loss`, between rows or groups; NaN where there is none.
  double unseen_error = std::numeric_limits<double>::quiet_NaN();
  bool few_terms = false;  ///< The terms that matter most of a larger stage, and no others.
};

/// A training row that nearly decides its own prediction: its leverage, the weight of its target in its own
/// fitted value, is near one. What the model says there rests on this one row.
struct InfluentialRow {
  std::uint64_t row = 0;  ///< Counted from 0, in the order in which the fit read its rows.
  double leverage = 0;
  /// Where it lies far from the other rows, furthest first: at most three features, and their values. A
  /// feature counts by its distance from the mean in standard deviations, a level by its rarity.
  std::vector<std::size_t> features = {};
  std::vector<double> values = {};
};

/// An interaction that was screened: what it explains of the residuals, before it was tried in the model.
struct ScreenedTerm {
  std::vector<std::size_t> features;
  double gain = 0;  ///< Rise of the restricted log-likelihood of the residuals by this term alone.
  bool kept = false;
};

/// What a fit with `Loss::robust` found about its rows.
struct RobustFit {
  /// The deviation of the noise, from the median absolute left-out error; in units of the target.
  double scale = 0;
  std::size_t rows = 0;        ///< That were looked at: all, or a sample.
  std::size_t discounted = 0;  ///< Of these, how many count for less than half.
  double r2 = 0;               ///< Of left-out rows, each as much as it counts in the fit.
  bool settled = true;         ///< The weights of the rows did not change any more.
};

/// How the resolution was solved for, and the errors of the result. `accuracy` and `target_mean` are in units
/// of the target; everything else is on the scale of the fit (`Model::target_scale`).
struct FitSummary {
  std::size_t rows = 0;
  double weight_sum = 0;          ///< Sum of the weights: the `n` of every formula.
  std::size_t weighted_rows = 0;  ///< Rows whose weight is not zero; zero in models of older files.
  Structure structure = Structure::additive;
  int resolution = 1;
  int fits = 0;  ///< Fits of all families together.
  /// Mean left-out loss, the squared error, given terms and penalty weights; exact in that sense. See
  /// `PublishedOptions::score_unstable`.
  double loo = 0;
  std::optional<Accuracy> accuracy;  ///< The errors to expect on new rows; empty in files of older versions.
  std::size_t equal_rows = 0;        ///< Rows that have the same features as an earlier row.
  std::optional<RobustFit> robust;   ///< Where the loss was the robust one.
  double residual_variance = 0;      ///< Mean squared residual.
  double target_mean = 0;
  double target_variance = 0;
  /// Variance of the target on the scale of the fit, where that is not the identity.
  std::optional<double> scaled_variance;
  /// Mean deviance of the constant model, where the family is not the normal one: what `loo` is compared with
  /// in place of a variance.
  std::optional<double> null_deviance;
  /// Of the Poisson family: how many times as much counts vary as it says. 1 or more; 1 for other families.
  double overdispersion = 1;
  double target_shift = 0;  ///< Subtracted from the target, on the scale of the fit, before the fit.
  double parameters = 0;    ///< Effective number, the sum of the leverages.
  double max_leverage = 0;
  double signal_score = 0;  ///< Gain over the constant model in units of 1.96 standard errors.
  double ridge = 0;  ///< As the fit was solved; a relative one is a multiple of the mean diagonal entry.
  bool relative_ridge = false;
  std::optional<Convergence> convergence;  ///< Empty where a file of an older version does not tell.
  /// Pairs the pairwise family was offered; where penalties were solved for, those of the model.
  std::vector<FeaturePair> pairs;
  std::optional<Selection> additive;
  std::optional<Selection> pairwise;
  std::optional<PilotCheck> pilot_check;  ///< Where the additive family competed.
  // Where penalties were solved for:
  double noise_variance = 0;  ///< Estimated by the restricted likelihood: `RSS / (n - parameters)`.
  std::vector<StageSummary> stages;
  std::vector<ScreenedTerm> screened;  ///< Pairs, then triples, in the order in which they were tried.
  std::size_t structure_rows = 0;      ///< Rows that decided on the structure: all, or a sample.
  /// How many rows have a leverage above `near_one_leverage`, and those with the largest ones, at most
  /// `most_influential_rows`, by falling leverage. The default method finds them.
  std::size_t influential_count = 0;
  std::vector<InfluentialRow> influential_rows;
  bool simplest = false;      ///< As in GrownOptions: a simple model was asked for, ...
  std::size_t max_terms = 0;  ///< ... or one of at most so many terms; 0 is no limit.

  /// Share of the target's variance predicted on left-out rows, on the scale of the fit; of the deviance
  /// where the family is not the normal one.
  double loo_r2() const {
    const double unit = null_deviance.value_or(fitted_variance());
    return unit > 0 ? 1 - loo / unit : 0;
  }
  /// Variance of the target on the scale of the fit.
  double fitted_variance() const { return scaled_variance.value_or(target_variance); }
  /// Nearly as many parameters as rows: the model passes through them, and errors on left-out rows say
  /// little.
  bool interpolates() const { return parameters > 0.9 * weight_sum; }
};

/// How the size of errors changes with the prediction, both on the scale of the fit: piecewise linear, and
/// level beyond both ends. Empty where it is the same everywhere: one.
struct ResidualSpread {
  std::vector<double> predictions;  ///< Rising.
  std::vector<double> scales;       ///< Positive.

  double operator()(double prediction) const;
};

/// A fitted model, `f(x) = intercept + sum_j coefficients_j B_j(x)` over the raw functions `B_j` of the
/// design. On the identity scale a prediction is `f(x)`, on others `mean_on(target_scale, mean_shift, f(x))`.
/// It holds everything that predicting and explaining need, and no rows. Predicting a row costs a few
/// multiplications per term, whatever the resolution.
struct Model {
  Design design;
  Extrapolation extrapolation = Extrapolation::linear;
  double intercept = 0;
  std::vector<double> coefficients;  ///< Raw layout of the design.
  std::string target;                ///< Name of the target; may be empty.
  std::vector<Effect> effects;       ///< One per term.
  /// One for each penalty of each term; empty where the fit has none.
  std::vector<std::vector<double>> penalty_weights;
  FitSummary summary;
  ResidualSpread residual_spread;
  /// Order statistics of the left-out errors over their spread, at evenly spaced ranks, at most 4096; empty
  /// if not kept. An error is `g(target) - g(prediction)`, with `g` the scale of the fit. They are those of
  /// the rows that `FitSummary::accuracy` tells of.
  std::vector<double> residual_quantiles;
  /// Bytes that fronts keep with the model under a name (how a table was encoded, ...). The engine stores
  /// them and does not read them.
  std::map<std::string, std::vector<std::byte>> attachments;
  /// Predictions are held within these limits. The default method sets them to the range of the target in
  /// training, widened by half of its length on either side: far outside the training rows a sum of terms
  /// means little, and nothing is known of such targets.
  Range prediction_limits{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  /// How fast intervals widen outside the training range: one number per feature, per unit of the feature
  /// (see `widening`). Empty in the published method and in files of older versions: they do not widen.
  std::vector<double> widening_rates = {};
  TargetScale target_scale = TargetScale::identity;
  MeanShift mean_shift = {};  ///< Empty on the identity scale.
  /// The distribution of the target around its mean: the name of a response, and its parameter
  /// (`response_with`). Terms add up on the scale of its link.
  std::string family = "normal";
  double family_parameter = 0;
  /// The same function as effects that mean what they say (`decomposition`). Empty where there are no
  /// interactions, and in files of older versions.
  std::optional<Decomposition> purified = {};

  bool linked() const { return family != "normal"; }
};

/// The response of a model. Throws `corrupt_file` where its family is none.
std::shared_ptr<const Response> response_of(const Model& model);

/// Predicts every row of `x` into `predictions`. Throws `invalid_data` for a wrong number of columns or a
/// value that is not finite, `out_of_range` where the model forbids extrapolation. Predictions are held
/// within `Model::prediction_limits`. Where `x` is a block of a longer table, `first_row` is its place in it,
/// for the row that such a message names.
void predict(const Model& model, const MatrixView& x, std::span<double> predictions, int threads = 1,
             std::size_t first_row = 0);
std::vector<double> predict(const Model& model, const MatrixView& x, int threads = 1);

/// How much wider the interval of each row is because the row lies outside the training range: a factor, one
/// for rows inside. With the distance `d_j` of a row from the range of feature `j` and the model's
/// `widening_rates` `r_j`, it is `sqrt(1 + sum_j r_j d_j)`: to the squared errors that rows inside have, it
/// adds those of effects that wander like a random walk beyond the range, where no row tells how they go on.
/// Costs little beside a prediction.
std::vector<double> widening(const Model& model, const MatrixView& x);

/// How many features of each row lie outside the training range. Levels of a category never do, and features
/// that did not vary have no range.
std::vector<std::size_t> outside_count(const Model& model, const MatrixView& x);
/// How far a value lies outside the training range of a feature, in its units; 0 inside and for categories.
double distance_outside(const Feature& feature, double value);

/// The prediction of a row where the sum of terms is `eta`: the mean of the target, within the limits.
double carried_prediction(const Model& model, double eta);

/// An interval that covers a new target with probability `level` reaches from `g^-1(z + lower s)` to
/// `g^-1(z + upper s)`, where `g` is the scale of the fit, `z = g(prediction)`, and `s` the model's
/// `residual_spread` at `z` times the `widening` of the row. On the identity scale that is `prediction +
/// lower s` to `prediction + upper s`; on others it is never negative. `lower` and `upper` are quantiles of
/// the errors of left-out rows and assume no shape of the noise. Throws `invalid_argument` for a level
/// outside (0, 1) or a model without residual quantiles.
///
/// Intervals of counts (the Poisson and the negative binomial family) are those of their distribution around
/// the prediction, which is taken as it is; a Poisson model that found overdispersion allows for it.
struct IntervalOffsets {
  double lower = 0;
  double upper = 0;
  double level = 0;
};
IntervalOffsets interval_offsets(const Model& model, double level);
struct TargetInterval {
  double lower = 0;
  double upper = 0;

  bool covers(double target) const { return target >= lower && target <= upper; }
};
/// The interval around a prediction of the model, for a row of this `widening`.
TargetInterval interval_around(const Model& model, const IntervalOffsets& offsets, double prediction,
                               double widening = 1);
/// The largest level that the left-out rows can promise, `(n - 1) / (n + 1)`. Beyond it, an interval ends at
/// the largest errors that were seen.
double largest_level(const Model& model);
/// How many left-out errors these quantiles stand for: the `n` of the sentence above.
double rows_behind_intervals(const Model& model);

/// The constant of the ANOVA decomposition (paper, eq. 3): the intercept plus the means of the main effects.
double anova_constant(const Model& model);
/// A term at one point (as many numbers as the term has features), centred as in the ANOVA decomposition: a
/// main effect has mean zero over the training rows, an interaction mean zero along each of its coordinates.
double term_value(const Model& model, std::size_t term, std::span<const double> point);

/// The standard error of a main effect or a pair at one point (as many numbers as the term has features): the
/// root of its mean square error, which allows for noise and, in main effects, for penalty weights that the
/// rows do not determine. Bands of 1.96 of it cover about 95 % on average over the effect, not at every
/// point, and more where the truth is no effect. NaN where the model does not hold it.
double effect_error(const Model& model, std::size_t term, std::span<const double> point);
double effect_error(const Model& model, std::size_t term, double point);

/// The standard error of the sum of terms of each row, on the scale of the fit: the root of the sum of
/// squared errors of the constant and of all main effects and pairs at the row (`effect_error`). The errors
/// of terms count as independent, so that it is too large where features depend on each other; triples have
/// no errors and count as known. NaN where the model does not hold errors.
std::vector<double> predictor_errors(const Model& model, const MatrixView& x, int threads = 1);
/// How many standard errors a band reaches to either side, to cover with probability `level`. Throws
/// `invalid_argument` for a level outside (0, 1).
double errors_of_level(double level);

/// Bands of predicted probabilities: where the true probability of a row lies with probability `level`, on
/// average over rows. On the scale of the log odds they reach `errors_of_level` times the row's error
/// (`predictor_errors`) to either side. Costs some microseconds per row. Throws `invalid_argument` for models
/// of other families and for a level outside (0, 1), and otherwise as `predict`.
struct ProbabilityBands {
  std::vector<double> lower;
  std::vector<double> upper;
};
ProbabilityBands probability_bands(const Model& model, const MatrixView& x, double level, int threads = 1);

/// Versioned, checksummed bytes. Reading throws `corrupt_file` or `unsupported_version`.
std::vector<std::byte> to_bytes(const Model& model);
Model model_from_bytes(std::span<const std::byte> bytes);

/// Files are written beside the target and renamed, so that an interrupted save leaves the old file whole.
/// Throws `io`.
void save(const Model& model, const std::filesystem::path& path);
Model load_model(const std::filesystem::path& path);

}  // namespace kore
