#pragma once

#include <span>

#include "kore/rows.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// Refines those of the fits that want it. Where columns nearly depend on each other, rounding in the Gram
/// matrix shows in the coefficients; the residuals themselves, in one more pass shared by all, tell by how
/// much.
void refine(std::span<Smoother* const> fits, const RowSource& source, int threads);

}  // namespace kore
