#pragma once

#include <cstdint>
#include <string>

namespace kore::cli {

/// "800MB", "1.5 GB", "2GiB" or a plain number of bytes. Throws `invalid_argument` otherwise.
std::uint64_t parse_memory_size(const std::string& text);

}  // namespace kore::cli
