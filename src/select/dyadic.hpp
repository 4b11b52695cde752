#pragma once

#include "kore/pilot_check.hpp"
#include "kore/selector.hpp"
#include "solve/dense.hpp"

namespace kore {

struct DyadicOptions {
  int max_resolution = 64;
  double stability = 0.45;  ///< Resolutions need `p(G) < stability * n`.
  int radius = 1;  ///< Of the certificate: neighbours of the lowest, on either side, that are fitted.
  /// Pilots of more columns are made only while the finest so far is the lowest, and neighbours of the law's
  /// solution only where they are still missing beside the lowest.
  double cheap_columns = 400;
  /// With more columns than this higher pilots on both sides of the law's solution are certificate enough:
  /// no neighbours are fitted.
  double costly_columns = columns_worth_threads;
};

/// The default profile's way to the optimum of the law. Pilots at 1, 2, 4, ... up to the largest stable
/// resolution, because with one pilot at `G = 1` a curve that has not reached its rate yet hides its bias,
/// and because a wave can be missed by coarse splines altogether: its LOO rises before it falls. The two
/// pilots around the lowest one determine the law where it matters; its solution is fitted, and then the
/// neighbours of what is lowest, a few times while one of them is lower.
///
/// No resolution beyond `size().finest()` is tried, and only 1 where no column depends on it.
///
/// A family without a stable resolution is fitted at 1, and has the exact LOO of that fit.
Selection select_dyadic(ResolutionCurve& curve, const DyadicOptions& options);

/// The two of the pilots, by rising resolution, that determine the law: those around the lowest LOO.
std::vector<int> law_pilots(const Selection& selection);

/// The paper's go/no-go check, on the pilots that determined the law of an additive selection: no fit is
/// made. The condition number is that of the pilot matrix with the bias in units of the coarser pilot's,
/// which is the paper's own where that is at `G = 1`.
PilotCheck check_dyadic_pilots(const Selection& additive, const BasisCount& size, double n, double stability,
                               std::size_t features, Structure recommended);

}  // namespace kore
