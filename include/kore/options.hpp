#pragma once

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "kore/accuracy.hpp"
#include "kore/basis.hpp"
#include "kore/design.hpp"
#include "kore/phases.hpp"
#include "kore/selector.hpp"
#include "kore/target_scale.hpp"

/// What can be set about a fit. fit.hpp states the objective that a fit minimises; the words are those of
/// docs/glossary.md. `n` is the sum of the row weights and `p` the number of columns of a model.
namespace kore {

/// Which structures compete.
enum class StructureChoice {
  automatic,  ///< All of them; exact leave-one-out decides.
  additive,   ///< Main effects alone.
  pairwise,   ///< Only models with interactions.
};

/// Which pairs of features may interact.
enum class PairChoice {
  /// The published method takes all pairs while they are few enough for the rows and for memory, and
  /// discovered ones otherwise. The default method discovers.
  automatic,
  /// Every pair of features. Their number, and with it the number of columns, grows with the square of the
  /// number of features. The default method tries those with the largest gain, within `Options::max_columns`.
  all,
  none,   ///< No interactions.
  given,  ///< `Options::pairs`, and no others.
  /// Pairs that explain residuals of an additive fit (paper, appendix "Graph discovery"). The same as
  /// `automatic` in the default method.
  discover,
};

/// The distribution of the target around its mean, which is a function of the sum of terms `eta`. A fit
/// minimises the deviance of the family (response.hpp) plus penalties. docs/responses.md has the mathematics.
enum class Family {
  normal,    ///< Any number: `mean = eta`, squared error.
  binomial,  ///< Yes or no, as 1 or 0: `log(mean / (1 - mean)) = eta`, so that effects multiply the odds.
  poisson,   ///< Counts: `log(mean) = eta`, so that effects multiply the mean; the variance is the mean.
  gamma,     ///< Positive amounts: `log(mean) = eta`; the deviation grows with the mean.
  negative_binomial,  ///< Counts that vary by more than Poisson's: variance `mean + mean^2 / theta`.
};

/// What a fit minimises over the rows.
enum class Loss {
  squared,  ///< The square of the error.
  /// The square of the error for errors that noise explains; beyond that it levels off, so that gross errors
  /// in the target cannot bend the fit.
  robust,
};

/// The default method. It chooses the penalty weights of every term by restricted likelihood, and grows the
/// model from main effects to pairs and triples while the leave-one-out error falls clearly. Knots are evenly
/// spaced behind a warp that follows the distribution of each feature.
///
/// Cost: one to two seconds at a few thousand rows and ten features. One pass finds the ranges and, if a
/// table has more than `structure_rows` rows, draws the sample; two or three more passes then fit the chosen
/// structure to all rows.
struct GrownOptions {
  /// The most features in one term, 1 to 3. 1 leaves no pairs, and contradicts given ones and
  /// `StructureChoice::pairwise`.
  int max_order = 3;
  /// The most rows that decide on the structure. In longer tables a sample of this size decides, drawn by a
  /// hash of the rows' contents; the chosen structure is then fitted to all rows.
  std::size_t structure_rows = 5'000;
  /// Where a sample decides, all interactions together have at most `sqrt(interaction_work / rows)` columns,
  /// because the work of a fit to all rows is the rows times the square of these columns: 1,414 columns at
  /// 50,000 rows, 316 at a million, 100 at ten million. Main effects are not limited, because a row touches
  /// few of their functions, nor are given pairs before they are refined. 0 is no limit.
  double interaction_work = 1e11;
  /// Into how many parts the rows are cut by the referee, which repeats the whole procedure without each part
  /// and so chooses the model and states its error: 0 decides by the number of rows (ten where they are few),
  /// 1 leaves it out, and leave-one-out given the terms decides. Tables of more than `structure_rows` rows
  /// are judged by rows outside the sample instead. Costs as many further growths as there are parts.
  int folds = 0;
  /// Where `Options::extrapolation` is linear and the rows have noise, curves keep the value that they have
  /// at the border of the training range: the slope there is the least certain part of a curve. Straight
  /// lines go on, and so do curves where leave-one-out leaves less than a hundredth of the target's variance.
  bool level_outside = true;
  /// With `Loss::robust` a row counts for less the further its target is from the fit: fully up to 2.5 noise
  /// deviations, not at all from 5 on. Stated errors and intervals are those of all rows all the same. Costs
  /// two to four further growths.
  Loss loss = Loss::squared;
  /// The scale on which the target is a sum of terms. `automatic` fits other scales beside the identity where
  /// the target is not negative and bends on them, and takes one of them where it predicts left-out rows
  /// better, by errors in the units of the target. The square root needs targets that are not negative, the
  /// logarithm positive ones.
  TargetScale target_scale = TargetScale::automatic;
  /// The distribution of the target. Families other than the normal one have a link of their own: their
  /// `target_scale` is the identity and their loss the deviance, whatever is set for both. Each fit takes a
  /// few least-squares steps; a table of more than `structure_rows` rows takes two to five more passes.
  Family family = Family::normal;
  /// Take the simplest model whose error on left-out rows is within one standard error of the best one's,
  /// instead of the best. Models of the 1, 2, 3, 5, 8 and 13 terms that matter most then compete too, so that
  /// a fit takes longer. Of two structures, the one with fewer kinds of terms is the simpler one. The
  /// constant is taken only where nothing clearly beats it. Needs the referee, and does nothing without it.
  bool simplest = false;
  /// The most terms of a model; 0 is no limit. Of a model with more, the terms with the largest shares are
  /// kept, each interaction with the simpler effects of its features, and fitted again without the others.
  /// The referee repeats this too.
  int max_terms = 0;
  /// One per feature, or empty: how far its values go until they begin again, such as 24 for hours; 0 where
  /// they do not. The period begins at the smallest value, and the curve of such a feature, or each side of a
  /// surface, meets itself there with equal values and slopes. Values outside of it count as those that are
  /// whole periods away, in the fit and in predictions, so that no row is outside.
  std::vector<double> periods = {};
  /// One per feature, or empty: the largest resolution of its curves and surfaces, beside those for all
  /// features; 0 is no limit of its own.
  std::vector<int> max_resolutions = {};
  /// Of the Poisson family, the known ratio of variance to mean. 1 for counts. Rates (counts over exposures)
  /// whose rows count as much as their exposure over the mean exposure have one over the mean exposure.
  double dispersion = 1;
};

/// The published method (paper, algorithm 1). Additive and pairwise models are fitted without penalties, each
/// at the resolution that is solved for, and the smaller leave-one-out error wins. The defaults are the
/// published ones. Cost: about ten fits of two passes each.
struct PublishedOptions {
  /// Radius of the certificate: resolutions fitted on either side of the solved one, `2 radius + 1` in all.
  int radius_additive = 3;
  int radius_pairwise = 1;
  /// Where no resolution is stable, the coarsest additive model is fitted all the same. If true, its exact
  /// leave-one-out error is reported; if false, it is infinite, as published.
  bool score_unstable = false;
  /// Columns of additive models. Both choices span the same functions; centred columns keep their meaning
  /// where the indicators of a category add up to a constant.
  Parametrisation additive_parametrisation = Parametrisation::first_block_full;
  /// Where reading the rows again is not free, several fits share a pass, as many as fit into this many
  /// bytes.
  std::size_t memory_budget = std::size_t{1} << 30;
  /// With `PairChoice::discover`: least share of the residual variance that a pair explains.
  double discovery_threshold = 0.02;
  /// Subtract the target's mean before the fit and add it to the prediction, so that a large mean costs no
  /// digits.
  bool centre_target = false;
};

/// Everything that can be set about a fit: what every fit shares, and the options of one method. `Options{}`
/// is the default profile, `Options::paper()` the published algorithm. `docs/options.md` lists all options
/// with their ranges and defaults.
struct Options {
  /// How a model is found. The alternative that is held chooses the method and has its own options.
  std::variant<GrownOptions, PublishedOptions> method;

  /// Spline degree, 1 to 7. The law's smoothness is `beta = degree + 1`.
  int degree = 3;
  StructureChoice structure = StructureChoice::automatic;
  PairChoice pair_choice = PairChoice::automatic;
  /// With `PairChoice::given`. The default method always tries them. It drops a pair that vanishes under its
  /// penalty, unless `structure` asks for pairs and none would be left.
  std::vector<FeaturePair> pairs;
  /// Largest resolutions tried, of main effects and of pairs. In the default method triples have half of the
  /// latter, and a feature has no more intervals than its distinct values determine.
  int max_resolution_additive = 64;
  int max_resolution_pairwise = 16;
  /// Fits without penalties need `p(G) < stability * n`.
  double stability = 0.45;
  /// Models beyond this many columns are not tried; 0 is no limit. A fit of `p` columns takes about `60 p^2`
  /// bytes and `p^3` multiplications. In the default method main effects become straight lines where even the
  /// coarsest curves have too many columns. Lines or given pairs with too many columns are an error. Whatever
  /// the limit, interactions stop at four columns per row.
  std::size_t max_columns = 2500;
  /// Added to the diagonal of the normal equations; if relative, a multiple of the mean diagonal entry. The
  /// default method raises it where nearly dependent columns need more; `FitSummary::ridge` has the final
  /// one.
  double ridge = 1e-10;
  bool relative_ridge = true;
  /// Up to which condition leverages come from the inverse matrix, which is fast, instead of triangular
  /// solves, which keep all digits (see SmootherOptions). The default prefers speed to a few digits of
  /// leave-one-out on nearly singular problems.
  double inverse_limit = 1e12;
  /// How curves continue outside the training range; see also `GrownOptions::level_outside`. In the default
  /// method predictions stay within the range of the target, widened by half of it on either side
  /// (`Model::prediction_limits`), unless polynomials are continued or `level_outside` is off.
  Extrapolation extrapolation = Extrapolation::linear;
  /// Knot ranges, one per feature, instead of those of the data. Knots are then evenly spaced in them, in
  /// both methods.
  std::vector<Range> ranges;
  /// One per feature; empty means all splines.
  std::vector<FeatureKind> kinds;
  /// One per feature: how many levels it has, where `kinds` says it is a category. May be empty where none
  /// is.
  std::vector<int> levels;
  /// Keep the distribution of the leave-one-out residuals, for prediction intervals. Costs no pass of its
  /// own, and memory for at most 262,144 residuals during the fit.
  bool intervals = true;
  /// 0: all cores. The result does not depend on it.
  int threads = 0;
  /// Called after every fit of the selection, from the calling thread.
  std::function<void(const Progress&)> progress;
  /// Called once by the default method, from the calling thread, with the rows whose errors
  /// `FitSummary::accuracy` tells of.
  std::function<void(const HeldOutRows&)> held_out_rows = {};
  /// If given, the fit records here how long its phases took. It must outlive the fit, and no other fit may
  /// use it at the same time. Nothing of the result depends on it.
  PhaseTimes* phases = nullptr;

  /// The published algorithm and constants: all pairs, absolute ridge 1e-8, no limit on columns, no LOO
  /// without a stable resolution, the target as it is, polynomials continued outside the range.
  static Options paper();

  bool is_published() const { return std::holds_alternative<PublishedOptions>(method); }
  /// The options of the method. A programming error where the other method is set: then they throw
  /// `std::bad_variant_access`, which no front catches by name.
  GrownOptions& grown() { return std::get<GrownOptions>(method); }
  const GrownOptions& grown() const { return std::get<GrownOptions>(method); }
  PublishedOptions& published() { return std::get<PublishedOptions>(method); }
  const PublishedOptions& published() const { return std::get<PublishedOptions>(method); }

  /// Throws `invalid_argument` with a sentence that names the option, its value and what it may be.
  void check(std::size_t features) const;
};

}  // namespace kore
