#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

/// A rising piecewise-linear map of a feature. Knots are equally spaced in its values, so that in the units
/// of the feature they are denser where the map is steeper. Beyond its nodes it continues as a straight line.
struct Warp {
  std::vector<double> nodes;   ///< Strictly rising, in the feature's units. Empty: the identity.
  std::vector<double> values;  ///< Strictly rising, one per node, commonly from 0 to 1.

  bool identity() const { return nodes.size() < 2; }
  double operator()(double x) const;
  /// The same for points that are `stride` doubles apart, one for each element of `to`.
  void map(const double* x, std::ptrdiff_t stride, std::span<double> to) const;
};

}  // namespace kore
