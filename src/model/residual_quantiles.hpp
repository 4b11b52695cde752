#pragma once

#include <cstddef>
#include <vector>

#include "kore/rows.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// The leave-one-out residuals of a fit, as order statistics at evenly spaced ranks of their weighted
/// distribution. Of more rows than fit into a few megabytes, every k-th is used.
std::vector<double> loo_residual_quantiles(const RowSource& source, const Smoother& smoother,
                                           std::size_t rows, int threads);
/// The same from residuals that are there already.
std::vector<double> residual_quantiles(const std::vector<double>& residuals, const RowBlock& rows);

}  // namespace kore
