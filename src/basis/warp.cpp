#include "basis/warp.hpp"

#include <algorithm>

namespace kore {

double Warp::operator()(double x) const {
  if (values.size() < 2) return x;
  const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, x);
  const auto i = static_cast<std::size_t>(above - nodes.begin());
  const double share = (x - nodes[i - 1]) / (nodes[i] - nodes[i - 1]);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

Warp distribution_warp(std::span<const double> sorted, double mix, std::size_t intervals) {
  if (sorted.size() < 2 || !(sorted.front() < sorted.back())) return {};
  const double lowest = sorted.front();
  const double range = sorted.back() - lowest;
  const auto n = static_cast<double>(sorted.size());
  Warp warp;
  for (std::size_t i = 0; i <= intervals; ++i) {
    // The quantile between the values around it.
    const double at = static_cast<double>(i) / static_cast<double>(intervals) * (n - 1);
    const auto below = static_cast<std::size_t>(at);
    const double rest = at - static_cast<double>(below);
    const double node = rest > 0 ? sorted[below] + rest * (sorted[below + 1] - sorted[below]) : sorted[below];
    if (!warp.nodes.empty() && !(node > warp.nodes.back())) continue;
    const auto up_to = std::upper_bound(sorted.begin(), sorted.end(), node) - sorted.begin();
    const double share = warp.nodes.empty() ? 0.0 : static_cast<double>(up_to) / n;
    warp.nodes.push_back(node);
    warp.values.push_back((1 - mix) * (node - lowest) / range + mix * share);
  }
  return warp;
}

}  // namespace kore
