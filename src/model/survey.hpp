#pragma once

#include <vector>

#include "kore/fit.hpp"

namespace kore {

/// What pass 0 tells about the data.
struct Survey {
  std::vector<Feature> features;
  Range target;
  double target_mean = 0;
  double target_variance = 0;
  std::size_t rows = 0;
  double weight = 0;
};

/// Ranges, target and weights; refuses whatever no later pass could use.
Survey survey(const RowSource& source, const Options& options, const Names& names);

/// The model of a constant target.
Model constant_model(const Survey& data, const Options& options, const Names& names);

}  // namespace kore
