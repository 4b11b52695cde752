#pragma once

#include "experiments/random/pcg64.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kore::experiments {

/// NumPy's `default_rng(seed)`: the same seed and the same sequence of calls give the same numbers, bit for
/// bit. Drawing `count` numbers at once equals drawing them one by one.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : bits_(seed) {}

  /// 64 raw bits.
  std::uint64_t raw() { return bits_.next_uint64(); }

  /// Uniform on [0, 1).
  double random() { return bits_.next_double(); }

  /// Uniform on [low, high).
  double uniform(double low, double high);
  std::vector<double> uniform(double low, double high, std::size_t count);

  /// A whole number from `low` to `high - 1`. Throws `invalid_argument` if there is none.
  std::int64_t integers(std::int64_t low, std::int64_t high);
  std::vector<std::int64_t> integers(std::int64_t low, std::int64_t high, std::size_t count);

  double standard_normal();
  double normal(double mean, double deviation);
  std::vector<double> normal(double mean, double deviation, std::size_t count);

  /// The numbers 0 .. size-1 in random order.
  std::vector<std::size_t> permutation(std::size_t size);

  /// `count` different numbers below `size`, in random order. Throws `invalid_argument` if there are not that
  /// many.
  std::vector<std::size_t> choice(std::size_t size, std::size_t count);

 private:
  std::uint64_t up_to(std::uint64_t largest);
  std::uint64_t up_to_by_mask(std::uint64_t largest);
  double normal_tail(bool negative);
  void shuffle_from(std::span<std::size_t> values, std::size_t first);
  std::vector<std::size_t> choose_distinct(std::size_t size, std::size_t count);

  Pcg64 bits_;
};

}  // namespace kore::experiments
