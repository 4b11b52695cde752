#pragma once

#include "kore/pilot_check.hpp"
#include "kore/selector.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace kore {

/// Steps that the selector and the diagnostic share.

/// NaN as infinity, so that a score that could not be computed never wins a comparison.
inline double or_infinity(double score) {
  return std::isnan(score) ? std::numeric_limits<double>::infinity() : score;
}

/// The paper's smoothness, `beta = k + 1`: the order at which splines of degree `k` are width-optimal.
inline double smoothness(const BasisCount& size) { return size.degree + 1.0; }

/// Refuses options outside their range.
void require_valid(const SelectorOptions& options);

/// `G_eff`, the largest resolution in `[1, max_resolution]` that is stable; nothing if not even `G = 1` is.
std::optional<int> largest_stable_resolution(const ResolutionCurve& curve, const SelectorOptions& options);

/// The pilots `1` and `G_b` as far as they are stable: two, one or none, in rising order.
std::vector<int> pilot_resolutions(const ResolutionCurve& curve, const SelectorOptions& options,
                                   int largest_stable);

/// The law through two measured pilots; both constants are zero with fewer.
LawConstants law_of_pilots(ResolutionCurve& curve, const std::vector<int>& pilots);

/// Applies the paper's checks to the measured pilots: fills in `suitable`, `reason`, `recommendation`
/// and `advice`. `recommended` is the structure the automatic selector chose, used if suitable.
void judge(PilotCheck& diagnostic, Structure recommended);

/// The resolution nearest to `plug_in` (half to even) inside `[1, largest_stable]`.
int nearest_resolution(double plug_in, int largest_stable);

}  // namespace kore
