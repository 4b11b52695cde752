#pragma once

#include <vector>

#include "grow/candidates.hpp"
#include "grow/stage.hpp"

namespace kore {

// A number whose values repeat (hours, years, machine settings, rounded sizes) is a curve and, where single
// values are special, an effect of each value beside it: a term of resolution `each_value`, whose effects are
// shrunk by one penalty weight as the levels of a category are.

/// Whether rows share values of a number, so that single values can have effects.
bool repeats(const GrowingData& data, std::size_t feature);

/// How much an effect of each value explains of the left-out residuals of a fit, for every feature whose
/// values repeat; best first. Only those that explain more than the best of them would by chance.
///
/// The restricted likelihood has a closed form: with the weight `n_l` and the sum of residuals `s_l` of each
/// value, noise of variance `v` and a penalty weight `w`, the gain is
/// `sum_l (s_l^2 / (v (n_l + w)) - log(1 + n_l / w)) / 2`. Costs one look at the rows for each feature.
std::vector<ScoredTerm> score_values(const GrowingData& data, const Stage& fitted);

}  // namespace kore
