#pragma once

#include "experiments/targets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kore::experiments {

/// Where one coordinate is drawn from, uniformly: [low, high).
struct Range {
  double low = 0;
  double high = 1;

  friend bool operator==(const Range&, const Range&) = default;
};

/// Training rows with noisy labels and test rows with clean ones. Tables are row-major.
struct Dataset {
  std::size_t dimension = 0;
  std::vector<double> x_train;
  std::vector<double> y_train;
  std::vector<double> x_test;
  std::vector<double> y_test;
  double sigma =
      0;  ///< `noise fraction * std(clean training labels)`: the standard deviation of the noise asked for.
};

/// Draws a data set from `Generator(seed)` in the published order: training inputs, test inputs, noise.
///
/// Without ranges the inputs fill the unit cube row by row. With ranges, one per coordinate, they are drawn
/// column by column, so that even the ranges [0, 1) give other rows than none. Throws `invalid_argument` if
/// the ranges are not one per coordinate, if there are no training rows, or if the noise fraction is negative
/// or not finite.
Dataset make_dataset(const Target& target, std::size_t train_rows, std::size_t test_rows,
                     double noise_fraction, std::uint64_t seed, std::span<const Range> ranges = {});

}  // namespace kore::experiments
