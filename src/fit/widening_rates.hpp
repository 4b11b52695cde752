#pragma once

#include "kore/model.hpp"

namespace kore {

/// How fast the intervals of a model widen outside the range of each feature (see `widening`). Nobody knows
/// how an effect goes on there. As a random walk, its squared distance from where it is at the border grows
/// in proportion to the distance from the range: over one standard deviation of the feature by 2.5^2 times
/// the variance that all effects of the feature have inside. In units of the squared typical error, that is
/// the rate. The factor is measured: docs/honesty.md, "Rows outside the training range". `rows` (all rows or
/// a sample) give the deviations of the features.
std::vector<double> widening_rates(const Model& model, const RowBlock& rows);

}  // namespace kore
