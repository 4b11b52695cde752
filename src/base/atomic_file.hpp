#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/system.hpp"
#include "base/unfinished_files.hpp"

namespace kore {

/// A file that appears whole or not at all: it is written under another name in the same folder and takes its
/// own on `commit`. Without `commit` nothing remains of it, and what stood in its place stays as it was. A
/// device or pipe is written to directly, and a link keeps pointing where it did. What a killed process has
/// left in the folder under such a name is removed.
class PendingFile {
 public:
  /// Throws `io` at once if nothing can be written there.
  explicit PendingFile(const std::filesystem::path& target);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return path_; }
  /// Flushes the file to disk and gives it its name.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  system::Descriptor lock_;                   // tells other processes that the file is not left over
  std::optional<UnfinishedFile> unfinished_;  // empty for a device, and when committed
};

/// Writes `path` through a PendingFile. Throws `io` and leaves no debris where that fails.
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// The bytes of a file. Throws `io` where it cannot be read.
std::vector<std::byte> read_file(const std::filesystem::path& path);

}  // namespace kore
