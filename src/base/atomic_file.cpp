#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include "base/unfinished_files.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void refuse(const std::string& action, const std::filesystem::path& path, int number) {
  throw Error(ErrorCode::io, "Cannot " + action + " '" + path.string() +
                                 "': " + std::generic_category().message(number) + ".");
}

/// A file that disappears again unless it was renamed to where it belongs.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) {
    // Created with the permissions any new file would get; a name left over from a killed process is passed
    // over.
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      path_ = target.string() + ".partial-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) {
        path_.clear();
        refuse("write", target, errno);
      }
    }
    unfinished_.emplace(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void write(std::span<const std::byte> bytes, const std::filesystem::path& target) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse("write", target, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  void rename_to(const std::filesystem::path& target) {
    if (::fsync(descriptor_) != 0) refuse("write", target, errno);
    if (::rename(path_.c_str(), target.c_str()) != 0) refuse("write", target, errno);
    path_.clear();
  }

 private:
  std::string path_;
  std::optional<UnfinishedFile> unfinished_;
  int descriptor_ = -1;
};

}  // namespace

void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  TemporaryFile file(path);
  file.write(bytes, path);
  file.rename_to(path);
}

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  std::ifstream in(path, std::ios::binary);
  if (failure || !in) refuse("read", path, failure ? failure.value() : errno);
  std::vector<std::byte> bytes(size);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    refuse("read", path, EIO);
  return bytes;
}

}  // namespace kore
