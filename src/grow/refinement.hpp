#pragma once

#include <functional>
#include <span>
#include <vector>

#include "grow/stage.hpp"

namespace kore {

/// The largest resolutions of interactions.
struct Finest {
  int pairs = 1;
  int triples = 1;
};

/// Whether terms have few enough columns.
using Affordable = std::function<bool(std::span<const GrownTerm>)>;

/// Interactions whose effective parameters are a tenth of their columns or more get twice as many intervals
/// along every curve, those that use the largest share of their columns first, as long as all are affordable.
/// Between finer coefficients the second differences of the same function are smaller, so the first weights
/// are increased. `any` tells whether there is one.
std::vector<GrownTerm> refined(const GrowingData& data, const Stage& stage, const Finest& finest,
                               const Affordable& affordable, bool& any);

/// The terms of main effects for the stages after them, each curve with a resolution of at most twice its
/// effective parameters. Curves that become coarser have no weights yet.
std::vector<GrownTerm> coarser_mains(const GrowingData& data, const Stage& mains);

}  // namespace kore
