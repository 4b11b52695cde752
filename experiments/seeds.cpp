#include "experiments/seeds.hpp"

namespace kore::experiments {
namespace {

constexpr std::uint64_t kLow31Bits = 0x7fffffff;

}  // namespace

std::uint64_t cell_seed(std::span<const std::uint64_t> parts) {
  // Reducing modulo 2^31 keeps the low bits only, so that a product past 2^64 would do no harm either.
  std::uint64_t seed = kMasterSeed;
  for (const std::uint64_t part : parts) seed = (seed * 1000003 + part) & kLow31Bits;
  return seed;
}

std::uint64_t benchmark_id(std::string_view name) {
  std::uint64_t id = 5381;
  for (const char character : name) id = (33 * id + static_cast<unsigned char>(character)) & kLow31Bits;
  return id;
}

}  // namespace kore::experiments
