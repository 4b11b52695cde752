#include "basis/warp.hpp"

#include <algorithm>
#include <array>

namespace kore {

namespace {

// The piece between two nodes that each point lies in; beyond the ends the first or last one. It is the
// number of inner nodes up to the point, found by binary search. The number of steps depends on the nodes
// alone, so no branch is mispredicted, and a group of points of fixed size is searched together in vector
// registers.
template <std::size_t points>
[[gnu::always_inline]] inline void find_pieces(const std::vector<double>& nodes, const double* x,
                                               std::size_t* piece) {
  std::fill_n(piece, points, 0);
  for (std::size_t left = nodes.size() - 1; left > 1;) {
    const std::size_t half = left / 2;
    const double* node = nodes.data() + half;
    for (std::size_t i = 0; i < points; ++i) piece[i] += node[piece[i]] <= x[i] ? half : 0;
    left -= half;
  }
}

template <std::size_t points>
[[gnu::always_inline]] inline void map_points(const Warp& warp, const double* x, double* to) {
  std::array<std::size_t, points> piece;
  find_pieces<points>(warp.nodes, x, piece.data());
  for (std::size_t i = 0; i < points; ++i) {
    const double* node = warp.nodes.data() + piece[i];
    const double* value = warp.values.data() + piece[i];
    // Rounding must not move a point across the next node. The last node is the end of the knots and maps
    // exactly to its own value; the line beyond starts there.
    const std::size_t from = x[i] >= node[1] ? 1 : 0;
    const double line = value[from] + (x[i] - node[from]) / (node[1] - node[0]) * (value[1] - value[0]);
    to[i] = from == 0 ? std::min(line, value[1]) : line;
  }
}

}  // namespace

double Warp::operator()(double x) const {
  if (identity()) return x;
  double mapped = 0;
  map_points<1>(*this, &x, &mapped);
  return mapped;
}

void Warp::map(const double* x, std::ptrdiff_t stride, std::span<double> to) const {
  constexpr std::size_t group = 8;
  const auto point = [&](std::size_t r) { return x[static_cast<std::ptrdiff_t>(r) * stride]; };
  std::size_t r = 0;
  for (; !identity() && r + group <= to.size(); r += group) {
    std::array<double, group> points;
    for (std::size_t i = 0; i < group; ++i) points[i] = point(r + i);
    map_points<group>(*this, points.data(), to.data() + r);
  }
  for (; r < to.size(); ++r) to[r] = (*this)(point(r));
}

Warp distribution_warp(std::span<const double> sorted, std::span<const double> weights, double mix,
                       std::size_t intervals) {
  if (sorted.size() < 2 || !(sorted.front() < sorted.back())) return {};
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) total += weight(i);
  const double lowest = sorted.front();
  const double range = sorted.back() - lowest;
  Warp warp{{lowest}, {0.0}};
  double passed = 0;
  double next = total / static_cast<double>(intervals);  // rows after which the next node is placed
  for (std::size_t i = 0; i < sorted.size();) {
    const double value = sorted[i];
    for (; i < sorted.size() && sorted[i] == value; ++i) passed += weight(i);
    const bool last = i == sorted.size();
    if (!(value > lowest) || (passed < next && !last)) continue;
    const double share = last ? 1.0 : passed / total;
    warp.nodes.push_back(value);
    warp.values.push_back((1 - mix) * (value - lowest) / range + mix * share);
    while (next <= passed) next += total / static_cast<double>(intervals);
  }
  return warp;
}

}  // namespace kore
