#pragma once

#include <map>
#include <vector>

#include "kore/curve.hpp"
#include "kore/law.hpp"
#include "kore/structure.hpp"

namespace kore {

/// How a resolution is solved for. Defaults are the paper's (section 3, "Concrete parameter settings").
struct SelectorOptions {
  int max_resolution = 20;  ///< `G_max`; nothing beyond it is fitted.
  int radius = 3;           ///< Certificate: LOO at `G_hat - radius .. G_hat + radius`, `2 radius + 1` fits.
  double stability = 0.45;  ///< Resolutions need `p(G) < stability * n`.
  double pilot_fraction = 0.75;  ///< Upper pilot at this share of the largest stable resolution.
  double bridge_gain = 0.98;     ///< The gap bridge searches only if its probe has less of the best LOO.
  /// Skip the family if not even `G = 1` is stable (pairwise) instead of fitting it anyway (additive).
  bool skip_if_unstable = false;
  /// A family that is fitted though not even `G = 1` is stable has the exact LOO of that fit. If false, it is
  /// infinite, so that it loses to any other family.
  bool score_unstable = false;
};

/// What the selector found, with everything it saw on the way.
struct Selection {
  bool skipped = false;  ///< The family was too large for the data; nothing was fitted and `loo` is infinite.
  int resolution = 1;    ///< `G*`.
  double plug_in = 1;    ///< `G_dagger`, the solution of the law.
  /// Where `G_dagger` lies with 95 % confidence, as far as the noise of the pilots' LOO tells; both zero
  /// where it was not asked for.
  double plug_in_low = 0;
  double plug_in_high = 0;
  LawConstants law;         ///< `A_hat` and `tau_hat`; zero with fewer than two pilots.
  double loo = 0;           ///< LOO at `resolution`; infinite if none is stable, but for `score_unstable`.
  int fits = 0;             ///< Distinct resolutions looked at, also those the curve knew before.
  int largest_stable = 1;   ///< `G_eff`; 0 if skipped.
  bool bridged = false;     ///< The gap bridge found the result.
  std::vector<int> pilots;  ///< Resolutions used as pilots, in order; none if no resolution is stable.
  std::vector<int> certificate;   ///< Resolutions of the certificate, in order.
  std::map<int, FitScore> curve;  ///< Every fit looked at, as measured.
};

/// Two pilots, the closed form, the certificate and the gap bridge (paper, algorithm 1), with the smoothness
/// `beta = k + 1`. A LOO that is NaN counts as infinite: it never wins, and pilots without a finite LOO leave
/// the plug-in to the better pilot.
Selection select_resolution(ResolutionCurve& curve, const SelectorOptions& options);

/// The additive family unless the pairwise one has the strictly smaller LOO.
Structure choose_structure(const Selection& additive, const Selection& pairwise);

}  // namespace kore
