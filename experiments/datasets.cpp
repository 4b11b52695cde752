#include "experiments/datasets.hpp"

#include "experiments/random/generator.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace kore::experiments {
namespace {

// Even a noiseless data set draws its noise, at this scale, so that the fraction does not change the order of
// the draws.
constexpr double kSmallestNoise = 1e-10;

void check_arguments(const Target& target, std::size_t train_rows, double noise_fraction,
                     std::span<const Range> ranges) {
  if (train_rows == 0)
    throw Error(ErrorCode::invalid_argument,
                "A data set needs at least one training row, but 0 were asked for.");
  if (!std::isfinite(noise_fraction) || noise_fraction < 0) {
    throw Error(ErrorCode::invalid_argument,
                "The noise fraction must be finite and not negative, but it is " +
                    std::to_string(noise_fraction) + ".");
  }
  if (!ranges.empty() && ranges.size() != target.dimension) {
    throw Error(ErrorCode::invalid_argument,
                "The target " + target.name + " has " + std::to_string(target.dimension) +
                    " coordinates, but " + std::to_string(ranges.size()) +
                    " input ranges were given; pass one per coordinate, or none for the unit cube.");
  }
}

std::vector<double> draw_inputs(Generator& generator, std::size_t rows, std::size_t dimension,
                                std::span<const Range> ranges) {
  if (ranges.empty()) return generator.uniform(0.0, 1.0, rows * dimension);
  std::vector<double> x(rows * dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    for (std::size_t i = 0; i < rows; ++i)
      x[i * dimension + j] = generator.uniform(ranges[j].low, ranges[j].high);
  }
  return x;
}

double population_deviation(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count);
}

}  // namespace

Dataset make_dataset(const Target& target, std::size_t train_rows, std::size_t test_rows,
                     double noise_fraction, std::uint64_t seed, std::span<const Range> ranges) {
  check_arguments(target, train_rows, noise_fraction, ranges);
  Generator generator(seed);
  Dataset data;
  data.dimension = target.dimension;
  data.x_train = draw_inputs(generator, train_rows, target.dimension, ranges);
  data.x_test = draw_inputs(generator, test_rows, target.dimension, ranges);
  data.y_train = evaluate(target, data.x_train);
  data.y_test = evaluate(target, data.x_test);
  data.sigma = noise_fraction * population_deviation(data.y_train);
  const double scale = std::max(data.sigma, kSmallestNoise);
  for (double& label : data.y_train) label += generator.normal(0.0, scale);
  return data;
}

}  // namespace kore::experiments
