#pragma once

#include <cstddef>
#include <span>

#include "grow/stage.hpp"

namespace kore {

/// What leave-one-out does not see, in squared error. It takes weights and terms as given, though every row
/// had a say in them: `2 noise / n` for each parameter that a weight amounts to, and for each nat of
/// chance_gain in choosing terms from many.
double price_of(const Stage& stage);

/// Which of the stages to take. The first `lines` of them are straight lines, the others come by rising
/// order. Of the same order the lower LOO wins, prices paid, but without a penalty only where it is clear or
/// there is next to no noise; from lines to main effects, pairs and triples, the richer one has to be clearly
/// better.
std::size_t choose_stage(std::span<const Stage> stages, std::size_t lines, bool interactions_only,
                         const RowBlock& rows);

}  // namespace kore
