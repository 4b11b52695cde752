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

/// The contour lines of a surface at the given level, as straight pieces. The surface is given at the points
/// of a grid, `values[x][y]`; each square of the grid gives the pieces between its crossed sides.
std::vector<Segment> contour(std::span<const double> x, std::span<const double> y,
                             std::span<const double> values, double level);

}  // namespace kore::report
