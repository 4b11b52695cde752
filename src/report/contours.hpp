#pragma once

#include <span>
#include <vector>

namespace kore::report {

struct Segment {
  double x = 0;
  double y = 0;
  double x_end = 0;
  double y_end = 0;
};

/// Where a surface given at the points of a grid, `values[x][y]`, has the given level: straight pieces, found
/// square by square from where the level lies between its corners.
std::vector<Segment> contour(std::span<const double> x, std::span<const double> y,
                             std::span<const double> values, double level);

}  // namespace kore::report
