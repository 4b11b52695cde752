#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kore::experiments {

/// The 256 layers of equal area under exp(-x^2/2), as NumPy's normal generator cuts them.
///
/// Layer i > 0 reaches from height `f(x_i)` up to `f(x_{i-1})` and out to `x_i`, with `x_255 = kTailStart`;
/// layer 0 is the base strip together with the tail beyond it.
struct Ziggurat {
  static constexpr std::size_t kLayers = 256;
  static constexpr double kTailStart = 3.6541528853610088;

  std::array<double, kLayers> width{};   ///< `x_i / 2^52`: turns a 52-bit draw into a point of layer i.
  std::array<double, kLayers> height{};  ///< `f(x_i)`.
  std::array<std::uint64_t, kLayers> inside{};  ///< 52-bit draws below this lie under the curve for certain.
};

/// Computed once, on first use.
const Ziggurat& ziggurat();

}  // namespace kore::experiments
