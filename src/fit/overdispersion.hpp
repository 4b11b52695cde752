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

/// Pearson's statistic of counts around a fit over its degrees of freedom: how many times as much they vary
/// as a dispersion of one says.
double variance_ratio(const GrowingData& data, const Stage& fitted);

/// The `theta` that is most likely at the means of a fit.
double theta_of(const GrowingData& data, const Stage& fitted);

/// How many times as much counts vary around the main effects as the response says: Pearson's statistic over
/// its degrees of freedom, and at least 1. Penalties and bands then allow for it.
double overdispersion_of_main_effects(const GrowingData& data);

/// `theta` and the main effects of the rows, each solved for in turn until `theta` settles.
double theta_of_main_effects(GrowingData data);

}  // namespace kore
