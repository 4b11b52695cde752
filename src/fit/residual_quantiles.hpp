#pragma once

#include <cstddef>
#include <vector>

#include "kore/rows.hpp"
#include "pass/press_passes.hpp"

namespace kore {

/// Leave-one-out residuals as order statistics at evenly spaced ranks of their weighted distribution.
std::vector<double> residual_quantiles(std::vector<WeightedResidual> residuals);
std::vector<double> residual_quantiles(const std::vector<double>& residuals, const RowBlock& rows);

}  // namespace kore
