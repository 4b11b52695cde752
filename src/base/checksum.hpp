#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kore {

/// A checksum of bytes that come in parts: that of the parts before, and the next part.
std::uint64_t running_checksum(std::uint64_t before, std::span<const std::byte> next);

}  // namespace kore
