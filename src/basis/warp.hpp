#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

/// A monotone piecewise-linear map of a feature, so that knots which are equally spaced behind it follow the
/// data before it. Beyond its nodes it continues as a straight line.
struct Warp {
  std::vector<double> nodes;   ///< Strictly rising.
  std::vector<double> values;  ///< Strictly rising, from 0 to 1. Empty: the identity.

  double operator()(double x) const;
};

/// Halfway (`mix`) between the range of the values and their distribution. `sorted` holds the values in
/// rising order. `intervals`: at most so many pieces.
Warp distribution_warp(std::span<const double> sorted, double mix = 0.5, std::size_t intervals = 64);

}  // namespace kore
