#pragma once

#include <cstddef>
#include <span>

#include "kore/warp.hpp"

namespace kore {

/// Halfway (`mix`) between the range of the values and their distribution. `sorted` holds the values in
/// rising order, `weights` how many rows each of them counts for; empty: one. `intervals`: at most so many
/// pieces.
Warp distribution_warp(std::span<const double> sorted, std::span<const double> weights = {}, double mix = 0.5,
                       std::size_t intervals = 64);

}  // namespace kore
