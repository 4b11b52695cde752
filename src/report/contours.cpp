#include "report/contours.hpp"

#include <array>
#include <cstddef>

namespace kore::report {
namespace {

struct Corner {
  double x;
  double y;
  double value;
};

}  // namespace

std::vector<Segment> contour(std::span<const double> x, std::span<const double> y,
                             std::span<const double> values, double level) {
  std::vector<Segment> pieces;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (std::size_t j = 0; j + 1 < y.size(); ++j) {
      const auto corner = [&](std::size_t a, std::size_t b) {
        return Corner{x[a], y[b], values[a * y.size() + b]};
      };
      // Around the square; each side that the level crosses has one point.
      const std::array corners{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)};
      std::vector<std::array<double, 2>> crossings;
      for (std::size_t side = 0; side < 4; ++side) {
        const Corner& from = corners[side];
        const Corner& to = corners[(side + 1) % 4];
        if ((from.value < level) == (to.value < level)) continue;
        const double share = (level - from.value) / (to.value - from.value);
        crossings.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
      }
      // Two points, or four at a saddle, where either way of pairing them is right.
      for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
        pieces.push_back({crossings[k][0], crossings[k][1], crossings[k + 1][0], crossings[k + 1][1]});
    }
  return pieces;
}

}  // namespace kore::report
