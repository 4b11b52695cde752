#pragma once

#include <filesystem>
#include <optional>

#include "base/unfinished_files.hpp"

namespace kore::data {

/// A file that appears whole or not at all: it is written under another name in the same folder and takes its
/// own on `commit`. Without `commit` nothing remains of it, and what stood in its place stays as it was. A
/// device or pipe is written to directly.
class AtomicFile {
 public:
  /// Throws `io` at once if nothing can be written there.
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return path_; }
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  std::optional<UnfinishedFile> unfinished_;  ///< Until then, for a signal to remove.
};

}  // namespace kore::data
