#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kore::experiments {

/// NumPy's `SeedSequence`: spreads a small seed over a pool of 128 bits, so that neighbouring seeds give
/// unrelated streams.
class SeedSequence {
 public:
  explicit SeedSequence(std::uint64_t seed);

  /// The first `words` numbers a generator is to be seeded with; the same every time.
  std::vector<std::uint64_t> generate_state(std::size_t words) const;

 private:
  std::array<std::uint32_t, 4> pool_{};
};

}  // namespace kore::experiments
