#pragma once

#include <functional>
#include <optional>
#include <span>

#include "grow/stage.hpp"
#include "kore/selector.hpp"

namespace kore {

/// Told of every fit of a growing model.
using GrowthProgress = std::function<void(std::size_t order, int resolution, const Stage& stage)>;

/// `p(G)` of main effects and pairs at one resolution: features that do not vary have no columns, and no
/// coordinate gets finer than its values can tell apart. One that may go beyond `max_resolution`, which
/// nothing will, counts as one without a limit.
BasisCount growth_count(const GrowingData& data, std::span<const FeaturePair> pairs, int max_resolution);

struct PilotOptions {
  int max_resolution = 64;
  double stability = 0.45;
  GrowthProgress progress = {};
};

/// The paper's family of fits without penalty, at one resolution of all terms.
struct PilotFits {
  Selection selection;  ///< How the resolution was solved for, with its interval.
  std::optional<Stage>
      best;  ///< The fit with the lowest LOO: where there is next to no noise, none is better.
};
PilotFits fit_pilots(const GrowingData& data, std::span<const FeaturePair> pairs,
                     const PilotOptions& options);

}  // namespace kore
