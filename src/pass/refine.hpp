#pragma once

#include <span>

#include "kore/rows.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// One step of iterative refinement for those of the fits that need it. Where columns are nearly dependent,
/// rounding in the Gram matrix shows in the coefficients. One more pass, shared by all fits, computes the
/// residuals, from which the error of the coefficients follows.
void refine(std::span<Smoother* const> fits, const RowSource& source, int threads);

}  // namespace kore
