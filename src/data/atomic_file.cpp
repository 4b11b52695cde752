#include "data/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "kore/error.hpp"

namespace kore::data {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& target, const std::string& reason) {
  throw Error(ErrorCode::io, fmt::format("The file '{}' cannot be written: {}.", target.string(), reason));
}

/// What a name finally stands for, so that a link keeps pointing where it did.
fs::path resolved(const fs::path& target) {
  std::error_code failure;
  if (!fs::is_symlink(target, failure) || !fs::exists(target, failure)) return target;
  const fs::path real = fs::canonical(target, failure);
  return failure ? target : real;
}

/// Hidden, in the same folder (a rename must not cross file systems), and different for every file of every
/// process.
fs::path name_beside(const fs::path& target) {
  static std::atomic<unsigned> number{0};
  return target.parent_path() /
         fmt::format(".{}.{}-{}.part", target.filename().string(), static_cast<long>(getpid()), number++);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : target_(resolved(target)), path_(target_) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) refuse(target, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  int file = -1;
  do {  // A name may be left over from a process that was killed.
    path_ = name_beside(target_);
    file = open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  if (file < 0) refuse(target, std::generic_category().message(errno));
  close(file);
  unfinished_.emplace(path_.string());
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (unfinished_) fs::remove(path_, ignored);
}

void AtomicFile::commit() {
  if (!unfinished_) return;
  std::error_code failure;
  fs::rename(path_, target_, failure);
  if (failure) refuse(target_, failure.message());
  unfinished_.reset();
}

}  // namespace kore::data
