#pragma once

#include "story/effect_grid.hpp"
#include "story/json.hpp"

namespace kore::story {

/// The object of `kore effects --format json`: every effect on a grid with its 95 % band (docs/command.md).
/// `factors` is for models on the logarithmic scale.
Json effects_json(const table::TableModel& fitted, const Decomposition& shown, const GridSize& size,
                  bool factors);

}  // namespace kore::story
