#include "experiments/random/seed_sequence.hpp"

namespace kore::experiments {
namespace {

/// A multiplicative hash whose constant moves on with every use, so that equal words hash differently.
class RollingHash {
 public:
  RollingHash(std::uint32_t constant, std::uint32_t multiplier)
      : constant_(constant), multiplier_(multiplier) {}

  std::uint32_t operator()(std::uint32_t word) {
    word ^= constant_;
    constant_ *= multiplier_;
    word *= constant_;
    return word ^ (word >> 16);
  }

 private:
  std::uint32_t constant_;
  std::uint32_t multiplier_;
};

std::uint32_t mix(std::uint32_t into, std::uint32_t word) {
  const std::uint32_t mixed = 0xca01f9ddU * into - 0x4973f715U * word;
  return mixed ^ (mixed >> 16);
}

}  // namespace

SeedSequence::SeedSequence(std::uint64_t seed) {
  RollingHash hash(0x43b0d7e5U, 0x931e8875U);
  pool_[0] = hash(static_cast<std::uint32_t>(seed));
  pool_[1] = hash(static_cast<std::uint32_t>(seed >> 32));
  pool_[2] = hash(0);
  pool_[3] = hash(0);
  for (std::size_t source = 0; source < pool_.size(); ++source) {
    for (std::size_t target = 0; target < pool_.size(); ++target) {
      if (source != target) pool_[target] = mix(pool_[target], hash(pool_[source]));
    }
  }
}

std::vector<std::uint64_t> SeedSequence::generate_state(std::size_t words) const {
  RollingHash hash(0x8b51f9ddU, 0x58f38dedU);
  std::vector<std::uint64_t> state(words);
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t low = hash(pool_[2 * i % pool_.size()]);
    const std::uint64_t high = hash(pool_[(2 * i + 1) % pool_.size()]);
    state[i] = high << 32 | low;
  }
  return state;
}

}  // namespace kore::experiments
