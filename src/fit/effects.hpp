#pragma once

#include <vector>

#include "kore/model.hpp"
#include "kore/smoother.hpp"
#include "solve/normal_equations.hpp"

namespace kore {

/// Means, variances and covariance shares of all terms of a fit, from its Gram matrix alone. `coefficients`
/// are those of a function in the raw layout.
std::vector<Effect> effects_of(const GramAccumulator& gram, const std::vector<double>& coefficients);
/// The same from its equations, which have an intercept.
std::vector<Effect> effects_of(const NormalEquations& equations, const Smoother& smoother);
/// The same from the rows themselves.
std::vector<Effect> effects_of_rows(const Smoother& smoother, const RowBlock& rows, int threads);
/// The same of the terms of a decomposition.
std::vector<Effect> effects_of_rows(const Decomposition& shown, const RowBlock& rows, int threads);

}  // namespace kore
