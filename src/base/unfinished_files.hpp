#pragma once

#include <string>

namespace kore {

/// Remembers the name of a file that is being written, or of a folder of temporary files, so that a signal
/// handler can remove it. While registered it counts as unfinished; the entry goes with the object.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  int slot_ = -1;
};

/// Removes every file that is registered, and every folder with the files in it. Safe to call from a signal
/// handler.
void remove_unfinished_files() noexcept;

}  // namespace kore
