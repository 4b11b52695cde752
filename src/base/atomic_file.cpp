#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "kore/error.hpp"

namespace kore {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, int number) {
  throw Error(ErrorCode::io, "cannot_write_file", "Cannot write '{path}': {cause}.",
              {{"path", path.string()}, {"cause", std::generic_category().message(number)}});
}

[[noreturn]] void cannot_read(const fs::path& path, int number) {
  throw Error(ErrorCode::io, "cannot_read_file", "Cannot read '{path}': {cause}.",
              {{"path", path.string()}, {"cause", std::generic_category().message(number)}});
}

/// A file descriptor that is closed when this object goes out of scope.
class OpenFile {
 public:
  OpenFile(const fs::path& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// The file that a name refers to after all links.
fs::path resolved(const fs::path& target) {
  std::error_code failure;
  if (!fs::is_symlink(target, failure) || !fs::exists(target, failure)) return target;
  const fs::path real = fs::canonical(target, failure);
  return failure ? target : real;
}

}  // namespace

PendingFile::PendingFile(const fs::path& target) : target_(resolved(target)), path_(target_) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) cannot_write(target, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  // Beside the target, because a rename must not cross file systems; a name left over from a killed process
  // is skipped.
  for (int attempt = 0;; ++attempt) {
    path_ = target_.string() + ".partial-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    if (OpenFile(path_, O_WRONLY | O_CREAT | O_EXCL)) break;
    if (errno != EEXIST) cannot_write(target, errno);
  }
  unfinished_.emplace(path_.string());
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (unfinished_) fs::remove(path_, ignored);
}

void PendingFile::commit() {
  if (!unfinished_) return;
  const OpenFile file(path_, O_RDONLY);
  if (!file || ::fsync(file.get()) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0)
    cannot_write(target_, errno);
  unfinished_.reset();
}

void write_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  PendingFile pending(path);
  {
    const OpenFile file(pending.path(), O_WRONLY | O_TRUNC);
    if (!file) cannot_write(path, errno);
    while (!bytes.empty()) {
      const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) cannot_write(path, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  pending.commit();
}

std::vector<std::byte> read_file(const fs::path& path) {
  std::error_code failure;
  const auto size = fs::file_size(path, failure);
  std::ifstream in(path, std::ios::binary);
  if (failure || !in) cannot_read(path, failure ? failure.value() : errno);
  std::vector<std::byte> bytes(size);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    cannot_read(path, EIO);
  return bytes;
}

}  // namespace kore
