#include "basis/warp.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

namespace {

// The outer rows on either side that the length of the body does not count: a share, and at least one row.
constexpr double outer_share = 0.01;
constexpr double fewest_rows = 20;  // fewer do not tell what is an outlier
// How far beyond them the body still goes, in units of its length; further where rows are so few that their
// ends say little.
double fence(double rows) { return std::max(0.5, 20 / rows); }

double weight_of(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

/// The length that a tail may have at most, in units of the body's.
double tail_share(double rows) { return 0.01 + 0.01 * rows; }

/// The line over the range, with compressed tails.
class DrawnIn {
 public:
  DrawnIn(std::span<const double> sorted, std::span<const double> weights) : body_(body_of(sorted, weights)) {
    double below = 0;
    double above = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] < body_.lowest) below += weight_of(weights, i);
      if (sorted[i] > body_.highest) above += weight_of(weights, i);
    }
    const double length = body_.highest - body_.lowest;
    below_ = tail(body_.lowest - sorted.front(), length, below);
    above_ = tail(sorted.back() - body_.highest, length, above);
    lowest_ = sorted.front();
    highest_ = sorted.back();
  }

  const Body& body() const { return body_; }
  /// From 0 to 1.
  double operator()(double x) const {
    const double length = body_.highest - body_.lowest;
    const double total = below_ + length + above_;
    if (x < body_.lowest)
      return below_ / total * (1 - drawn(body_.lowest - x, body_.lowest - lowest_, length));
    if (x > body_.highest)
      return 1 - above_ / total * (1 - drawn(x - body_.highest, highest_ - body_.highest, length));
    return (below_ + (x - body_.lowest)) / total;
  }

 private:
  static double drawn(double distance, double furthest, double length) {
    const double scale = length / 2;
    return std::log1p(distance / scale) / std::log1p(furthest / scale);
  }
  /// How long a tail becomes, in the units of the values.
  static double tail(double furthest, double length, double rows) {
    if (!(furthest > 0)) return 0;
    const double scale = length / 2;
    return std::min(scale * std::log1p(furthest / scale), tail_share(rows) * length);
  }

  Body body_;
  double below_ = 0;
  double above_ = 0;
  double lowest_ = 0;
  double highest_ = 0;
};

}  // namespace

Body body_of(std::span<const double> sorted, std::span<const double> weights) {
  double total = 0;
  double rows = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    total += weight_of(weights, i);
    rows += weight_of(weights, i) > 0 ? 1 : 0;
  }
  const double outer = total * std::max(outer_share, 1 / std::max(rows, 1.0));
  const auto inner_value = [&](auto first, auto last, auto weight) {
    double passed = 0;
    for (; first + 1 != last && passed + weight(first) <= outer; ++first) passed += weight(first);
    return *first;
  };
  const double low = inner_value(sorted.begin(), sorted.end(), [&](auto at) {
    return weight_of(weights, static_cast<std::size_t>(at - sorted.begin()));
  });
  const double high = inner_value(sorted.rbegin(), sorted.rend(), [&](auto at) {
    return weight_of(weights, static_cast<std::size_t>(sorted.rend() - at) - 1);
  });
  if (rows < fewest_rows || !(low < high)) return {sorted.front(), sorted.back()};
  const double reach = fence(rows) * (high - low);
  // The ends are values, so that a warp has nodes there.
  return {*std::ranges::lower_bound(sorted, low - reach),
          *(std::ranges::upper_bound(sorted, high + reach) - 1)};
}

Warp distribution_warp(std::span<const double> sorted, std::span<const double> weights, double mix,
                       std::size_t intervals) {
  if (sorted.size() < 2 || !(sorted.front() < sorted.back())) return {};
  double total = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) total += weight_of(weights, i);
  const double lowest = sorted.front();
  const DrawnIn along(sorted, weights);
  Warp warp{{lowest}, {0.0}};
  double passed = 0;
  double next = total / static_cast<double>(intervals);  // rows after which the next node is placed
  for (std::size_t i = 0; i < sorted.size();) {
    const double value = sorted[i];
    for (; i < sorted.size() && sorted[i] == value; ++i) passed += weight_of(weights, i);
    const bool last = i == sorted.size();
    const bool end_of_body = value == along.body().lowest || value == along.body().highest;
    if (!(value > lowest) || (passed < next && !last && !end_of_body)) continue;
    const double share = last ? 1.0 : passed / total;
    warp.nodes.push_back(value);
    warp.values.push_back((1 - mix) * along(value) + mix * share);
    while (next <= passed) next += total / static_cast<double>(intervals);
  }
  return warp;
}

}  // namespace kore
