#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/design.hpp"

namespace kore {

/// The penalty of an interaction is its roughness plus this factor times its size.
inline constexpr double interaction_shrinkage = 0.1;

/// The penalty matrices `S_k` of one term on its solved columns, symmetric, `m * m` each; their sum is
/// positive definite.
///
/// - A main effect of a spline has two, each with a weight of its own: the squared second differences of its
///   coefficients, which pull it towards a straight line, and its size, which pulls it towards zero. (With
///   one weight for both, a steep line would need a small weight, which would also allow it to be rough.)
///   That of a cyclic spline has one, its second differences around the circle: a straight line that meets
///   itself is level.
/// - An interaction has one: its second differences along every coordinate, and its size.
/// - A category has no second differences, because levels have no order. Its main effect has one penalty, the
///   spread of the level effects. Its product with a spline is a curve for each level; the penalty pulls
///   these curves towards zero and towards straight lines.
///
/// A solved column is a centred function of a coordinate; the last function is left out. The functions add up
/// to one, so adding a constant to all coefficients does not change a centred effect. Of all these equal
/// coefficient vectors the penalty takes the smallest. So it does not depend on which function was left out.
std::vector<std::vector<double>> term_penalties(const Design& design, std::size_t term);

/// Their sum with the given weights.
std::vector<double> weighted_penalty(const Design& design, std::size_t term, std::span<const double> weights);

}  // namespace kore
