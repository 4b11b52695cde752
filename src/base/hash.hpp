#pragma once

#include <bit>
#include <cstdint>

namespace kore {

// Hashes of rows decide which rows a fit draws. Other values would draw other rows and change results: these
// two functions stay as they are.

/// Mixes a number into a hash so that every bit of the result depends on every bit of both (the finaliser of
/// SplitMix64).
inline std::uint64_t mix_number(std::uint64_t hash, double value) {
  std::uint64_t mixed = hash ^ (std::bit_cast<std::uint64_t>(value) + 0x9e3779b97f4a7c15ULL + (hash << 6U));
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31U);
}

/// The same in one multiplication, for a hash of which only the remainder by a small number is used. It
/// starts from `quick_hash_seed`.
inline constexpr std::uint64_t quick_hash_seed = 0x9e3779b97f4a7c15ULL;
inline std::uint64_t mix_number_quickly(std::uint64_t hash, double value) {
  const std::uint64_t mixed = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0xbf58476d1ce4e5b9ULL;
  return mixed ^ (mixed >> 31U);
}

}  // namespace kore
