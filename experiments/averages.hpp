#pragma once

#include <span>

namespace kore::experiments {

// What the summaries are made of. All need at least one value and return NaN otherwise.

double mean(std::span<const double> values);
/// With `n - 1` in the denominator; NaN for a single value.
double deviation(std::span<const double> values);
/// Linear interpolation between order statistics; `share` in [0, 1].
double quantile(std::span<const double> values, double share);
double median(std::span<const double> values);
double geometric_mean(std::span<const double> values);
/// The least-squares slope of `log y` on `log x`: the exponent of a power law.
double exponent(std::span<const double> x, std::span<const double> y);

}  // namespace kore::experiments
