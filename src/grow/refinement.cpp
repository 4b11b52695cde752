#include "grow/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace kore {
namespace {

constexpr double filled = 0.1;  // effective parameters per column beyond which a term is refined
constexpr int least_kept_resolution = 4;

double share_used(const GrownTerm& grown) {
  return grown.columns > 0 ? grown.parameters / static_cast<double>(grown.columns) : 0;
}

/// The term with twice the resolution along its curves, as far as these may become finer.
GrownTerm finer(const GrowingData& data, GrownTerm grown, const Finest& finest) {
  for (std::size_t c = 0; c < grown.term.order(); ++c) {
    int& resolution = grown.term.resolutions[c];
    const Coordinate& coordinate = data.coordinates[grown.term.features[c]];
    if (coordinate.feature.kind != FeatureKind::spline) continue;
    const int next = std::min(
        {2 * resolution, coordinate.finest, grown.term.order() == 2 ? finest.pairs : finest.triples});
    if (next <= resolution) continue;
    resolution = next;
    for (double& weight : grown.weights) weight *= grown.term.order() == 2 ? 2.0 : 1.6;
  }
  return grown;
}

}  // namespace

std::vector<GrownTerm> refined(const GrowingData& data, const Stage& stage, const Finest& finest,
                               const Affordable& affordable, bool& any) {
  std::vector<std::size_t> order(stage.terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t t) { return share_used(stage.terms[t]); });
  std::vector<GrownTerm> terms = stage.terms;
  any = false;
  for (const std::size_t t : order) {
    if (terms[t].term.order() < 2 || share_used(terms[t]) < filled) continue;
    GrownTerm before = std::exchange(terms[t], finer(data, terms[t], finest));
    if (terms[t].term.resolutions == before.term.resolutions) continue;
    if (affordable(terms))
      any = true;
    else
      terms[t] = std::move(before);
  }
  return terms;
}

std::vector<GrownTerm> coarser_mains(const GrowingData& data, const Stage& mains) {
  std::vector<GrownTerm> terms = mains.terms;
  for (GrownTerm& grown : terms) {
    int& resolution = grown.term.resolutions[0];
    const int enough = std::max(least_kept_resolution, static_cast<int>(std::ceil(2 * grown.parameters)));
    if (data.features[grown.term.features[0]].kind != FeatureKind::spline || enough >= resolution) continue;
    resolution = enough;
    grown.weights.clear();
  }
  return terms;
}

}  // namespace kore
