#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/real_data/sets.hpp"

/// The simulated examples 1 to 7 that come with R's mgcv (its `gamSim`), written anew from their formulas.
namespace kore::experiments::honesty {

struct Example {
  int number = 1;
  const char* title = "";
  std::vector<std::string> columns = {};
  std::size_t category = 0;  ///< Position of the column of levels, if there is one.
  int levels = 0;            ///< How many it has; 0: there is none.
  double noise = 2;          ///< Standard deviation.
};
const std::vector<Example>& examples();

/// The true mean of the target at one row. A level is given by its position, from 0.
double example_truth(const Example& example, std::span<const double> row);

/// Rows with the noise in their target, and without it.
struct ExampleRows {
  StudyRows rows;
  std::vector<double> truth;
};
struct ExampleData {
  ExampleRows train;
  ExampleRows fresh;
};
/// The same numbers for the same seed.
ExampleData draw_example(const Example& example, std::uint64_t seed);

}  // namespace kore::experiments::honesty
