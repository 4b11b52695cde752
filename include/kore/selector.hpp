#pragma once

#include <map>
#include <vector>

#include "kore/curve.hpp"
#include "kore/law.hpp"
#include "kore/structure.hpp"

namespace kore {

/// What a score is: a mean squared error of the target, of its square root or of its logarithm, or a mean
/// deviance.
enum class ScoreOf { target, square_root, logarithm, deviance };

/// What is reported about a fit that has just been made.
struct Progress {
  Structure structure = Structure::additive;
  int resolution = 0;
  FitScore score;        ///< In squares of the target's unit, or what `score_of` says.
  bool referee = false;  ///< A fit without a part of the rows, which judges the models.
  /// Of the referee: how many parts have been left out so far, of how many on all scales that compete. Zero
  /// where rows outside a sample judge.
  std::size_t parts_done = 0;
  std::size_t parts = 0;
  ScoreOf score_of = ScoreOf::target;
};

/// How a resolution is solved for. The defaults are the paper's (section 3, "Concrete parameter settings").
struct SelectorOptions {
  int max_resolution = 20;  ///< `G_max`; nothing beyond it is fitted.
  int radius = 3;           ///< Certificate: LOO at `G_hat - radius .. G_hat + radius`, `2 radius + 1` fits.
  double stability = 0.45;  ///< Resolutions need `p(G) < stability * n`.
  double pilot_fraction = 0.75;  ///< Upper pilot at this share of the largest stable resolution.
  /// The gap bridge searches only if the LOO in the middle of the gap is below this share of the best LOO.
  double bridge_gain = 0.98;
  /// If not even `G = 1` is stable: skip the family (pairwise) instead of fitting it at `G = 1` (additive).
  bool skip_if_unstable = false;
  /// If not even `G = 1` is stable and the family is fitted all the same: report the exact LOO of that fit.
  /// If false, its LOO counts as infinite, so that it loses to any other family.
  bool score_unstable = false;
};

/// The result of a selection, with every fit that it was based on.
struct Selection {
  bool skipped = false;  ///< The family was too large for the data; nothing was fitted and `loo` is infinite.
  int resolution = 1;    ///< `G*`.
  double plug_in = 1;    ///< `G_dagger`, the solution of the law.
  /// A 95 % confidence interval of `G_dagger`, from the noise of the pilots' LOO; both zero where it was not
  /// computed.
  double plug_in_low = 0;
  double plug_in_high = 0;
  LawConstants law;         ///< `A_hat` and `tau_hat`; zero with fewer than two pilots.
  double loo = 0;           ///< LOO at `resolution`; infinite if none is stable, unless `score_unstable`.
  int fits = 0;             ///< Distinct resolutions used, including those that the curve had before.
  int largest_stable = 1;   ///< `G_eff`; 0 if skipped.
  bool bridged = false;     ///< The result comes from the gap bridge.
  std::vector<int> pilots;  ///< Resolutions used as pilots, in order; none if no resolution is stable.
  std::vector<int> certificate;   ///< Resolutions of the certificate, in order.
  std::map<int, FitScore> curve;  ///< Every fit that was used.
};

/// The published selection (paper, algorithm 1), with the smoothness `beta = k + 1`:
///
/// 1. Two pilots, `G = 1` and `pilot_fraction` of the largest stable resolution, give `A` and `tau`.
/// 2. The plug-in `G_dagger` minimises `A G^(-2 beta) + tau p(G) / n`. Where the law has no minimum, it is
///    the better pilot.
/// 3. The certificate is the LOO at all stable resolutions within `radius` of it; the lowest wins.
/// 4. The gap bridge searches between certificate and upper pilot, where that pilot is the best of all.
///
/// A LOO that is NaN counts as infinite, so it never wins.
Selection select_resolution(ResolutionCurve& curve, const SelectorOptions& options);

/// The additive family unless the pairwise one has the strictly smaller LOO.
Structure choose_structure(const Selection& additive, const Selection& pairwise);

}  // namespace kore
