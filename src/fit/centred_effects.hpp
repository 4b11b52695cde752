#pragma once

#include <span>
#include <vector>

#include "kore/model.hpp"
#include "kore/rows.hpp"

namespace kore {

// Main effects of a response with a link, centred over the rows.
//
// Its equations have working weights, and centre every function over these: where means are large, in the
// Poisson family. But an effect is drawn so that its mean over the rows is zero, each row as often as it
// counts. The functions of a main effect add up to one. So with their means `m` over the rows, the effect
// with the coefficients `c` becomes that with `c - 1 m'c`, and a covariance `C` of the coefficients becomes
// `(I - 1 m') C (I - 1 m')'`. A band then has the error of the effect that is drawn.

/// The means of all raw functions over the rows of a source. Costs a pass without products.
std::vector<double> function_means(const Design& design, const RowSource& source, int threads);
/// The same of rows in memory.
std::vector<double> function_means(const Design& design, const RowBlock& rows, int threads);

/// Centres all main effects, which have these raw coefficients, and their covariances.
void centre_main_effects(const Design& design, std::span<const double> coefficients,
                         std::span<const double> means, std::vector<Effect>& effects);

}  // namespace kore
