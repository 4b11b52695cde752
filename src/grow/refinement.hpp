#pragma once

#include <vector>

#include "grow/stage.hpp"

namespace kore {

/// The largest resolutions of interactions.
struct Finest {
  int pairs = 1;
  int triples = 1;
};

/// Interactions whose effective parameters are a tenth of their columns or more get twice as many intervals
/// in every coordinate. Between finer coefficients the second differences of the same function are smaller,
/// so the first weights are increased. `any` tells whether there is one.
std::vector<GrownTerm> refined(const GrowingData& data, const Stage& stage, const Finest& finest, bool& any);

}  // namespace kore
