#pragma once

#include <functional>
#include <optional>
#include <span>

#include "grow/stage.hpp"
#include "kore/selector.hpp"

namespace kore {

/// Called after every fit of a growing model.
using GrowthProgress = std::function<void(std::size_t order, int resolution, const Stage& stage)>;

/// `p(G)` of main effects and pairs at one resolution. Constant features have no columns, and no coordinate
/// gets finer than its distinct values determine. A limit above `max_resolution` never matters and is left
/// out.
BasisCount growth_count(const GrowingData& data, std::span<const FeaturePair> pairs, int max_resolution);

struct PilotOptions {
  int max_resolution = 64;
  double stability = 0.45;
  GrowthProgress progress = {};
};

/// The paper's fits: no penalties, and one resolution for all terms.
struct PilotFits {
  Selection selection;        ///< How the resolution was solved for, with its interval.
  std::optional<Stage> best;  ///< The fit with the lowest LOO: the best model where there is almost no noise.
                              ///< None with a link.
};
PilotFits fit_pilots(const GrowingData& data, std::span<const FeaturePair> pairs,
                     const PilotOptions& options);

}  // namespace kore
