#pragma once

#include <span>
#include <vector>

#include "grow/stage.hpp"
#include "kore/design.hpp"
#include "solve/normal_equations.hpp"

namespace kore {

// Penalty weights at the weak end of what the rows allow.
//
// Along one direction of a term's coefficients let `g` be the precision of the rows and `w` that of the
// penalty, both in units of the noise. Before shrinkage an estimate of a coefficient that the penalty's prior
// drew has the variance `1/g + 1/w`. The restricted likelihood chooses `w` so that the estimates along the
// `d` directions of a penalty have this mean square. They are a draw: the true variance may as well be `k =
// d / q` times as large, with a low quantile `q` of chi-squared with `d` degrees of freedom. The weight that
// belongs to it is `1 / ((k - 1)/g + k/w)`. One direction says next to nothing about `w`, and the loose
// weight is nearly zero even where `w` is infinite. Many directions determine `w`, and it hardly changes.
//
// - The size of a main effect has one direction, the straight line, or as many as a category has columns.
// - Bends have as many as the term has effective parameters beyond the line, at least one; `g` is that of a
//   parabola. Where the rows show no bends, it was the size that kept them away, and `w` counts both.
// - A cyclic main effect has bends only, as many as its effective parameters; `g` is the mean of all.
// - An interaction has as many as it has effective parameters, and `g` is infinite: one that the rows do not
//   show is not in the model.

/// The exponent of `k`: 1, or less where the rows are fewer than twice the directions of all main effects, so
/// that they could not determine a fit with loose weights.
double looseness(const Design& design, double rows);

/// The loose weights of one term, one for each of its penalties.
std::vector<double> loose_weights(const Design& design, const NormalEquations& equations, std::size_t term,
                                  const GrownTerm& fitted, double looseness);

}  // namespace kore
