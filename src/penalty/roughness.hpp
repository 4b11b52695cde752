#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/design.hpp"

namespace kore {

/// Beside its bends, how much an interaction is held to zero by the same weight.
inline constexpr double interaction_shrinkage = 0.1;

/// The shapes of the penalties of one term on its solved columns, symmetric, `m * m` each; their sum is
/// positive definite. A main effect has two, each with a weight of its own: squares of second differences
/// hold it to a straight line, its size to zero. (With one weight for both, a steep line would have to bend
/// to be allowed to be steep.) An interaction has one: its bends along every coordinate and its size. A
/// category cannot bend: its main effect has the spread of its levels alone, and its product with a spline is
/// a curve for each level that is held to the common one, and to a straight line.
///
/// A solved column is a function of a coordinate less its mean, the last function left out. Because functions
/// add up to one, coefficients of all functions that differ by a constant are the same effect: the penalty is
/// that of the smallest of them, so that it does not matter which function was left out.
std::vector<std::vector<double>> term_penalties(const Design& design, std::size_t term);

/// Their sum with the given weights.
std::vector<double> weighted_penalty(const Design& design, std::size_t term, std::span<const double> weights);

}  // namespace kore
