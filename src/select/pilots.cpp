#include "select/pilots.hpp"

#include "kore/error.hpp"

#include <algorithm>

namespace kore {
namespace {

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorCode::invalid_argument, "bad_selector_options", sentence);
}

double round_half_to_even(double value) {
  const double below = std::floor(value);
  const double rest = value - below;
  const bool below_is_odd = std::fmod(below, 2) != 0;
  return rest > 0.5 || (rest == 0.5 && below_is_odd) ? below + 1 : below;
}

PilotPoint pilot_point(ResolutionCurve& curve, int resolution) {
  return {resolution, curve.size()(resolution), curve.loo(resolution)};
}

}  // namespace

void require_valid(const SelectorOptions& options) {
  require(options.max_resolution >= 1,
          "The selector's max_resolution is below 1; a spline needs at least one interval.");
  require(options.radius >= 0, "The certificate's radius is negative; give 0 or more.");
  require(options.stability > 0 && options.stability <= 1,
          "The selector's stability is outside (0, 1]; it is the largest share of basis functions per row.");
  require(options.pilot_fraction > 0 && options.pilot_fraction <= 1,
          "The selector's pilot_fraction is outside (0, 1]; it is a share of the largest stable resolution.");
  require(options.bridge_gain >= 0 && options.bridge_gain <= 1,
          "The selector's bridge_gain is outside [0, 1]; it is the share of the best LOO that a probe must "
          "undercut.");
}

std::optional<int> largest_stable_resolution(const ResolutionCurve& curve, const SelectorOptions& options) {
  for (int resolution = options.max_resolution; resolution >= 1; --resolution) {
    if (curve.stable(resolution, options.stability)) return resolution;
  }
  return std::nullopt;
}

std::vector<int> pilot_resolutions(const ResolutionCurve& curve, const SelectorOptions& options,
                                   int largest_stable) {
  // At least 2, because the second pilot must differ from the first; but never beyond max_resolution.
  int upper = std::max(2, static_cast<int>(std::floor(options.pilot_fraction * largest_stable)));
  upper = std::min(upper, options.max_resolution);
  while (upper > 1 && !curve.stable(upper, options.stability)) --upper;
  if (upper > 1) return {1, upper};
  if (curve.stable(1, options.stability)) return {1};
  return {};
}

LawConstants law_of_pilots(ResolutionCurve& curve, const std::vector<int>& pilots) {
  if (pilots.size() < 2) return {};
  curve.prepare(pilots);
  return solve_pilots(pilot_point(curve, pilots.front()), pilot_point(curve, pilots.back()),
                      curve.weight_sum(), smoothness(curve.size()));
}

int nearest_resolution(double plug_in, int largest_stable) {
  return static_cast<int>(std::clamp(round_half_to_even(plug_in), 1.0, static_cast<double>(largest_stable)));
}

}  // namespace kore
