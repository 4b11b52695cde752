#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kore/basis.hpp"
#include "kore/design.hpp"
#include "kore/selector.hpp"

namespace kore {

enum class StructureChoice {
  automatic,  ///< Both families compete; exact leave-one-out decides.
  additive,
  pairwise,
};

enum class PairChoice {
  automatic,  ///< All pairs while they are few enough for the rows and for memory, discovered ones otherwise.
  /// Every pair of features. Columns grow with the square of their number; with `Options::penalise` the most
  /// promising compete as far as `Options::max_columns` goes.
  all,
  none,   ///< No pairwise family.
  given,  ///< `Options::pairs`.
  /// Pairs that explain residuals of an additive fit (paper, appendix "Graph discovery"). With
  /// `Options::penalise` every choice but `given` and `none` discovers; this one is `automatic`.
  discover,
};

/// One fit that has just been made.
struct Progress {
  Structure structure = Structure::additive;
  int resolution = 0;
  FitScore score;
};

/// Everything a user can set about a fit. `Options{}` is the default profile, `Options::paper()` the
/// published algorithm.
struct Options {
  /// Spline degree, 1 to 7. The law's smoothness is `beta = degree + 1`.
  int degree = 3;
  /// Solve for a penalty weight of every term as well, and grow the model from main effects to pairs and
  /// triples as leave-one-out allows; splines then lie behind a map that follows each feature's distribution.
  /// Costs one to two seconds at a few thousand rows and ten features. Rows in memory are read once more than
  /// for their ranges; of a table with more than `structure_rows` the same pass draws the sample, and two or
  /// three more fit the chosen structure. If false, the families are fitted without penalty, as published.
  bool penalise = true;
  /// With `penalise`: the most features in one term, 1 to 3. 1 leaves no pairs, and contradicts given ones
  /// and the pairwise family.
  int max_order = 3;
  /// With `penalise`: rows that decide on the structure. Of longer tables a sample of this size does, drawn
  /// by the rows' contents; the chosen structure is then fitted to all rows.
  std::size_t structure_rows = 5'000;
  /// With `penalise`: where a sample decides, interactions are taken and refined only while all of them
  /// together have at most `sqrt(interaction_work / rows)` columns, for a fit to all rows multiplies rows by
  /// their square: 1,414 columns at 50,000 rows, 316 at a million, 100 at ten million. Main effects, whose
  /// products are local, are not bound by it, nor are given pairs before they are refined. 0 is no limit.
  double interaction_work = 1e11;
  StructureChoice structure = StructureChoice::automatic;
  PairChoice pair_choice = PairChoice::automatic;
  /// With PairChoice::given. With `penalise` they are always tried, and others never; one of which nothing is
  /// left where its penalty is solved for is dropped, unless `family` asks for pairs and none would be left.
  std::vector<FeaturePair> pairs;
  /// Largest resolutions tried, of main effects and of pairs (of triples: half of that). With `penalise` a
  /// feature also gets no more intervals than its distinct values can tell apart.
  int max_resolution_additive = 64;
  int max_resolution_pairwise = 16;
  /// Without `penalise`: certificate radius; up to `2 radius + 1` fits. (Else one on either side, and on
  /// while the curve falls; beyond 640 columns none.)
  int radius_additive = 3;
  int radius_pairwise = 1;
  /// Resolutions of fits without penalty need `p(G) < stability * n`.
  double stability = 0.45;
  /// Without `penalise`: where no resolution is stable, the coarsest additive model is fitted all the same.
  /// Report its exact LOO; if false, it is infinite, as published. (Else it is always reported.)
  bool score_unstable = true;
  /// Models beyond this many columns are not tried; 0 is no limit. A fit of `p` columns takes about `60 p^2`
  /// bytes and `p^3` multiplications. With `penalise`, main effects become straight lines where not even
  /// their coarsest curves fit, and lines that do not fit are refused; given pairs that do not fit are
  /// refused; and whatever the limit, interactions stop at four columns per row.
  std::size_t max_columns = 2500;
  /// Without `penalise`: columns of the additive family. Both choices span the same functions; centred ones
  /// have a meaning of their own where indicators of a category add up to a constant. (Else they are
  /// centred.)
  Parametrisation additive_parametrisation = Parametrisation::centred;
  /// Without `penalise`: where reading the rows again is not free, fits whose memory stays below this many
  /// bytes together share their passes. (Else all fits but the last are made from rows in memory.)
  std::size_t memory_budget = std::size_t{1} << 30;
  /// On the diagonal of the normal equations; if relative, a multiple of the mean diagonal entry. With
  /// `penalise` it is raised where nothing else keeps columns apart; `FitSummary::ridge` has what was enough.
  double ridge = 1e-10;
  bool relative_ridge = true;
  /// How far leverages may come from the inverse matrix instead of triangular solves (see SmootherOptions).
  /// The default gives up a few digits of leave-one-out on nearly singular problems for speed that does not
  /// depend on them.
  double inverse_limit = 1e12;
  /// Outside the training range.
  Extrapolation extrapolation = Extrapolation::linear;
  /// Without `penalise`, with PairChoice::discover: least share of the residual variance that a pair
  /// explains.
  double discovery_threshold = 0.02;
  /// Knot ranges, one per feature, instead of those of the data. Knots are then evenly spaced in them, also
  /// with `penalise`.
  std::vector<Range> ranges;
  /// One per feature; empty means all splines.
  std::vector<FeatureKind> kinds;
  /// One per feature: how many levels it has, where `kinds` says it is a category. May be empty where none
  /// is.
  std::vector<int> levels;
  /// Without `penalise`: subtract the target's mean before the fit and add it to the prediction, so that a
  /// large mean costs no digits. (Else it is always subtracted.)
  bool centre_target = true;
  /// Keep the distribution of the leave-one-out residuals, for prediction intervals. Costs one more pass.
  bool intervals = true;
  /// 0: all cores. The result does not depend on it.
  int threads = 0;
  /// Called after every fit of the selection, from the calling thread.
  std::function<void(const Progress&)> progress;

  /// The published algorithm and constants: all pairs, absolute ridge 1e-8, no limit on columns, no LOO
  /// without a stable resolution, the target as it is, polynomials continued outside the range.
  static Options paper();
  /// Throws `invalid_argument` with a sentence that names the option, its value and what it may be.
  void check(std::size_t features) const;
};

}  // namespace kore
