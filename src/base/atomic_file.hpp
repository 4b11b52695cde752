#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace kore {

/// Writes to a new file beside `path`, flushes it to disk and renames it, so that `path` is always either the
/// old file or the whole new one. Throws `io` and leaves no debris where that fails.
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// The bytes of a file. Throws `io` where it cannot be read.
std::vector<std::byte> read_file(const std::filesystem::path& path);

}  // namespace kore
