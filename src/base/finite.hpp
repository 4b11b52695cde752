#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace kore {

inline bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace kore
