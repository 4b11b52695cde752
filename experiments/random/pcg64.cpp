#include "experiments/random/pcg64.hpp"

#include "experiments/random/seed_sequence.hpp"

namespace kore::experiments {

Pcg64::Pcg64(std::uint64_t seed) {
  const auto words = SeedSequence(seed).generate_state(4);
  const UInt128 start = UInt128{words[0]} << 64 | words[1];
  const UInt128 stream = UInt128{words[2]} << 64 | words[3];
  increment_ = stream << 1 | 1;  // An odd increment gives the full period.
  step();
  state_ += start;
  step();
}

}  // namespace kore::experiments
