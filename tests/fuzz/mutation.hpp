#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>

#include "fuzz/targets.hpp"

/// Changes of bytes that get past the first check. Envelopes have lengths and checksums, and hold other
/// envelopes; random changes would nearly always end at the first checksum. So a change is made inside, and
/// lengths and checksums are made right again.
namespace kore::fuzz {

/// Any change of the first `size` bytes, also longer or shorter ones up to `most`; the new size.
using AnyChange = std::function<std::size_t(std::uint8_t* data, std::size_t size, std::size_t most)>;

/// Changes the first `size` of at most `most` bytes as suits the target; the new size. The same seed makes
/// the same change.
std::size_t mutate(const Target& target, std::uint8_t* data, std::size_t size, std::size_t most,
                   unsigned seed, const AnyChange& change_anything);

/// A change for where libFuzzer is not there to make one.
std::size_t plain_change(std::mt19937& random, std::uint8_t* data, std::size_t size, std::size_t most);

}  // namespace kore::fuzz
