#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "support/made_up_rows.hpp"

namespace kore::test {

/// Normal deviates by Box and Muller.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : uniform_(seed) {}
  double operator()() {
    return std::sqrt(-2 * std::log(1 - uniform_())) * std::cos(2 * std::numbers::pi * uniform_());
  }

 private:
  Uniform uniform_;
};

template <class Target>
Rows rows_of(std::size_t count, std::size_t columns, std::uint64_t seed, double noise, const Target& target) {
  Rows rows = made_up_rows(count, columns, seed);
  Normal normal(seed + 1);
  for (std::size_t r = 0; r < count; ++r)
    rows.y[r] = target([&](std::size_t j) { return rows.at(r, j); }) + noise * normal();
  return rows;
}

}  // namespace kore::test
