#pragma once

#include <functional>
#include <span>
#include <vector>

#include "grow/candidates.hpp"
#include "grow/refinement.hpp"
#include "grow/stage.hpp"

namespace kore {

/// Gives terms the resolutions and the first penalty weights that the same terms had in a stage of another
/// growth of the same table: one from more rows, or of another scale of the target. Which terms there are
/// does not change. A term that the other stage lacks, or has in another form (a curve, a line, value by
/// value), stays as it is, and so does an interaction that would not be affordable.
///
/// Weights are a start and nothing more: they are solved for again, in fewer steps and without going from
/// coarse to fine. In the units of a growing target a weight is the noise variance over that of the
/// coefficients, whatever the number of rows, so that weights carry over as they are.
void start_from(const Stage& earlier, const GrowingData& data, const Affordable& affordable,
                std::vector<GrownTerm>& terms);

/// Drops candidates that vanished in the other stage and explain next to nothing here either.
void drop_lost_before(const Stage& earlier, std::vector<ScoredTerm>& scored);

}  // namespace kore
