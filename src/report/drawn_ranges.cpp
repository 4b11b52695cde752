#include "report/drawn_ranges.hpp"

#include <algorithm>
#include <numeric>

namespace kore::report {
namespace {

constexpr int most_slices = 3;         // of a triple
constexpr double outer_share = 0.005;  // of the rows, on either side
constexpr double worth_a_zoom = 0.7;   // of the whole range

}  // namespace

std::vector<double> spaced(const Range& range, std::size_t count) {
  if (!(range.lowest < range.highest)) return {range.lowest};
  std::vector<double> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    points.push_back(range.lowest * (1 - share) + range.highest * share);
  }
  return points;
}

// The warp of the feature tells, because it follows the distribution of the rows; without a warp, that share
// of the range.
double value_at(const Feature& feature, double share) {
  const Warp& warp = feature.warp;
  if (warp.identity()) return feature.range.lowest * (1 - share) + feature.range.highest * share;
  const double wanted = warp.values.front() * (1 - share) + warp.values.back() * share;
  const auto above = std::ranges::lower_bound(warp.values, wanted);
  const auto i = std::max<std::ptrdiff_t>(1, above - warp.values.begin());
  const auto at = static_cast<std::size_t>(i);
  const double part = (wanted - warp.values[at - 1]) / (warp.values[at] - warp.values[at - 1]);
  return warp.nodes[at - 1] + part * (warp.nodes[at] - warp.nodes[at - 1]);
}

Range drawn_range(const Observed* observed, const Feature& feature, std::size_t place) {
  if (feature.kind != FeatureKind::spline || feature.cyclic) return feature.range;
  const Range central = observed != nullptr && place < observed->samples.size()
                            ? observed->samples[place].central
                            : Range{value_at(feature, outer_share), value_at(feature, 1 - outer_share)};
  const double extent = central.highest - central.lowest;
  const bool much_less = extent > 0 && extent < worth_a_zoom * (feature.range.highest - feature.range.lowest);
  return much_less ? central : feature.range;
}

std::vector<double> slices(const Decomposition& shown, std::size_t term) {
  const Feature& last = shown.design.features()[shown.terms[term].features[2]];
  if (last.kind == FeatureKind::category) {
    std::vector<double> levels(static_cast<std::size_t>(std::min(last.levels, most_slices)));
    std::iota(levels.begin(), levels.end(), 0.0);
    return levels;
  }
  if (last.kind == FeatureKind::linear) return spaced(last.range, 2);
  const bool by_value = shown.terms[term].by_value[2];
  std::vector<double> values;
  for (const double share : {0.1, 0.5, 0.9})
    values.push_back(
        by_value ? last.repeated[static_cast<std::size_t>(share * static_cast<double>(last.repeated.size()))]
                 : value_at(last, share));
  return values;
}

}  // namespace kore::report
