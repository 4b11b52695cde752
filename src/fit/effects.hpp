#pragma once

#include <vector>

#include "kore/model.hpp"
#include "kore/smoother.hpp"
#include "solve/normal_equations.hpp"

namespace kore {

/// Means, variances and covariance shares of all terms of a fit, from its Gram matrix alone.
std::vector<Effect> effects_of(const GramAccumulator& gram, const Smoother& smoother);
/// The same from its equations, which have an intercept.
std::vector<Effect> effects_of(const NormalEquations& equations, const Smoother& smoother);
/// The same from the rows themselves.
std::vector<Effect> effects_of_rows(const Smoother& smoother, const RowBlock& rows, int threads);

}  // namespace kore
