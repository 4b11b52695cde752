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

/// How the default profile finds the optimum of the law. Pilots are at 1, 2, 4, ... up to the largest stable
/// resolution, for two reasons: at `G = 1` the error often does not fall at its rate yet, so that the bias is
/// underestimated; and coarse splines can miss a wave altogether, so that the LOO rises before it falls. The
/// two pilots around the lowest one determine the law near its optimum. Its solution is fitted, and then the
/// neighbours of the lowest, a few times while one of them is lower.
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
