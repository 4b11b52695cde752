#pragma once

#include <vector>

#include "grow/candidates.hpp"
#include "grow/stage.hpp"

namespace kore {

/// Gives scored interactions of curves another form where that explains clearly more, and more than finer
/// curves would:
///
/// - value by value in one or more of the features. Tried for numbers with an effect of each value, and for
///   those of few values, whose order may mean little.
/// - a pair as a straight line in one feature times a curve of the other, `x f(z)`, or a product of two
/// lines.
///   Such a pair has few columns, and so less noise.
///
/// `terms` are sorted, and are sorted again: best first. Only the first hundred are looked at. Costs the
/// scoring of up to eight terms for each.
void offer_other_forms(const GrowingData& data, const Stage& fitted, std::vector<ScoredTerm>& terms);

}  // namespace kore
