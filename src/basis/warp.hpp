#pragma once

#include <cstddef>
#include <span>

#include "kore/warp.hpp"

namespace kore {

/// A warp between the straight line over the range (`mix` 0) and the distribution function of the values
/// (`mix` 1). `sorted` holds the values in rising order, `weights` how many rows each of them counts for;
/// empty: one. The warp has at most `intervals` pieces.
Warp distribution_warp(std::span<const double> sorted, std::span<const double> weights = {}, double mix = 0.5,
                       std::size_t intervals = 64);

}  // namespace kore
