#include "grow/refinement.hpp"

#include <algorithm>

namespace kore {
namespace {

constexpr double filled = 0.1;  // effective parameters per column beyond which a term is refined

}  // namespace

std::vector<GrownTerm> refined(const GrowingData& data, const Stage& stage, const Finest& finest, bool& any) {
  std::vector<GrownTerm> terms = stage.terms;
  any = false;
  for (GrownTerm& grown : terms) {
    if (grown.term.order() < 2 || grown.parameters < filled * static_cast<double>(grown.columns)) continue;
    for (std::size_t c = 0; c < grown.term.order(); ++c) {
      int& resolution = grown.term.resolutions[c];
      const Coordinate& coordinate = data.coordinates[grown.term.features[c]];
      if (coordinate.feature.kind != FeatureKind::spline) continue;
      const int next = std::min(
          {2 * resolution, coordinate.finest, grown.term.order() == 2 ? finest.pairs : finest.triples});
      if (next <= resolution) continue;
      resolution = next;
      for (double& weight : grown.weights) weight *= grown.term.order() == 2 ? 2.0 : 1.6;
      any = true;
    }
  }
  return terms;
}

}  // namespace kore
