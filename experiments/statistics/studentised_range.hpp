#pragma once

#include <cstddef>

namespace kore::experiments {

/// P(range of `groups` standard normal variables <= q): the studentised range at infinite degrees of freedom.
double studentised_range_probability(double q, std::size_t groups);

/// The q at which that probability is reached. Throws `invalid_argument` for fewer than two groups or a
/// probability outside (0, 1).
double studentised_range_quantile(double probability, std::size_t groups);

/// How far two of several mean ranks must be apart for the Nemenyi test to separate them at level `alpha`.
struct CriticalDifference {
  double published = 0;  ///< `q sqrt(k (k+1) / (6 N))`, as the published run has it.
  double textbook = 0;   ///< The same over sqrt(2), as Demsar (2006) tabulates it: the difference of two mean
                         ///< ranks has twice the variance of one.
};
CriticalDifference nemenyi(std::size_t methods, std::size_t datasets, double alpha);

}  // namespace kore::experiments
