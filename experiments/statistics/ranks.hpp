#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/statistics/grid.hpp"

namespace kore::experiments {

/// Rank 1 for the smallest value; equal values share the average of their ranks.
std::vector<double> average_ranks(std::span<const double> values);

/// Sum of `t^3 - t` over groups of `t` equal values: what ties take from the variance of ranks.
double tie_sum(std::span<const double> values);

/// The ranks within each row.
Grid rank_rows(const Grid& grid);

/// Mean of each column.
std::vector<double> column_means(const Grid& grid);

/// What resampling the rows says of the mean of a column.
struct BootstrapMean {
  double mean = 0;  ///< Over the resamples.
  double lower = 0;
  double upper = 0;  ///< Percentiles 2.5 and 97.5.
};

/// Rows drawn with replacement `resamples` times, by NumPy's `default_rng(seed).integers(0, rows, rows)`
/// each.
std::vector<BootstrapMean> bootstrap_means(const Grid& grid, std::size_t resamples, std::uint64_t seed);

}  // namespace kore::experiments
