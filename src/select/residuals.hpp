#pragma once

#include <span>
#include <vector>

#include "kore/rows.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// What a fit leaves of the target in each row of a block; zero where the weight is zero, because such a row
/// may lie where the fit is anything.
std::vector<double> residuals(const Smoother& fit, const RowBlock& block, int threads);

/// Refines those of the fits that want it. Where columns nearly depend on each other, rounding in the Gram
/// matrix shows in the coefficients; the residuals themselves, in one more pass shared by all, tell by how
/// much.
void refine(std::span<Smoother* const> fits, const RowSource& source, int threads);

}  // namespace kore
