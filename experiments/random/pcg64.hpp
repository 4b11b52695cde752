#pragma once

#include <bit>
#include <cstdint>

namespace kore::experiments {

__extension__ using UInt128 = unsigned __int128;

/// PCG64 (the XSL-RR 128/64 member of the PCG family), seeded as NumPy's `default_rng(seed)` seeds it.
class Pcg64 {
 public:
  explicit Pcg64(std::uint64_t seed);

  std::uint64_t next_uint64() {
    step();
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    const auto low = static_cast<std::uint64_t>(state_);
    return std::rotr(high ^ low, static_cast<int>(high >> 58));
  }

  /// The lower half of a 64-bit draw; the upper half waits for the next call, whatever is drawn in between.
  std::uint32_t next_uint32() {
    if (half_is_waiting_) {
      half_is_waiting_ = false;
      return waiting_half_;
    }
    const std::uint64_t both = next_uint64();
    waiting_half_ = static_cast<std::uint32_t>(both >> 32);
    half_is_waiting_ = true;
    return static_cast<std::uint32_t>(both);
  }

  /// Uniform on [0, 1) with 53 random bits.
  double next_double() { return static_cast<double>(next_uint64() >> 11) * 0x1p-53; }

 private:
  static constexpr UInt128 kMultiplier = UInt128{0x2360ed051fc65da4U} << 64 | 0x4385df649fccf645U;

  void step() { state_ = state_ * kMultiplier + increment_; }

  UInt128 state_ = 0;
  UInt128 increment_ = 1;
  std::uint32_t waiting_half_ = 0;
  bool half_is_waiting_ = false;
};

}  // namespace kore::experiments
