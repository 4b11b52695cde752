#pragma once

#include "fit/survey.hpp"
#include "grow/stage.hpp"

namespace kore {

// Counts whose variance is `mean + mean^2 / theta`: the negative binomial distribution. With `theta` it is a
// family like the others; `theta` itself maximises the likelihood at the means of a fit.

/// From the mean and the variance of all counts: where a search for `theta` starts.
double first_theta(const Survey& data);

/// The `theta` that is most likely where the means of the rows are these.
double likely_theta(const RowBlock& rows, std::span<const double> means, double first);

/// `theta` and the main effects of the rows, each solved for in turn until `theta` settles.
double theta_of_main_effects(GrowingData data);

}  // namespace kore
