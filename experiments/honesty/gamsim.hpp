#pragma once

#include "experiments/honesty/settings.hpp"

namespace kore::experiments::honesty {

/// Writes the data sets of the examples to `settings.gamsim`, for gamsim.R to fit.
void write_gamsim(const Settings& settings);

}  // namespace kore::experiments::honesty
