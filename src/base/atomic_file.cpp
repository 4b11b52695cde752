#include "base/atomic_file.hpp"

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "base/system.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

namespace fs = std::filesystem;

/// Neither file nor request is to blame where no more files may be open.
void refuse_without_descriptors(const fs::path& path, int number) {
  if (number == EMFILE || number == ENFILE)
    throw Error(ErrorCode::io, "too_few_descriptors",
                "Cannot open '{path}': {cause}. Raise the limit of open files (see ulimit -n).",
                {{"path", path.string()}, {"cause", system::error_text(number)}});
}

[[noreturn]] void cannot_write(const fs::path& path, int number) {
  refuse_without_descriptors(path, number);
  const bool no_room = number == ENOSPC || number == EDQUOT || number == EFBIG || number == EIO;
  throw Error(ErrorCode::io, no_room ? "no_room_for_file" : "cannot_write_file",
              "Cannot write '{path}': {cause}.",
              {{"path", path.string()}, {"cause", system::error_text(number)}});
}

[[noreturn]] void cannot_read(const fs::path& path, int number) {
  refuse_without_descriptors(path, number);
  throw Error(ErrorCode::io, "cannot_read_file", "Cannot read '{path}': {cause}.",
              {{"path", path.string()}, {"cause", system::error_text(number)}});
}

// The file that a name refers to after all links.
fs::path resolved(const fs::path& target) {
  std::error_code failure;
  if (!fs::is_symlink(target, failure) || !fs::exists(target, failure)) return target;
  const fs::path real = fs::canonical(target, failure);
  return failure ? target : real;
}

constexpr const char* partial_mark = ".kore-partial-";

/// Removes what processes that were killed have left in the folder: nobody holds a lock on it.
void remove_left_over(const fs::path& target) {
  std::error_code ignored;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find(partial_mark) == std::string::npos || !entry.is_regular_file(ignored)) continue;
    const system::Opened left = system::open_file(entry.path(), system::Access::read);
    if (left.error == 0 && system::lock(left.file) == system::Lock::ours) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

PendingFile::PendingFile(const fs::path& target) : target_(resolved(target)), path_(target_) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) cannot_write(target, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  remove_left_over(target_);
  // Beside the target, because a rename must not cross file systems.
  for (int attempt = 0;; ++attempt) {
    path_ = target_.string() + partial_mark + std::to_string(system::process_id()) + "-" +
            std::to_string(attempt);
    system::Opened opened = system::open_file(path_, system::Access::create);
    if (opened.error != 0 && opened.error != EEXIST) cannot_write(target, opened.error);
    // Another process may have taken the file for one that was left over before it was locked.
    if (opened.error != 0 || system::lock(opened.file) == system::Lock::of_another ||
        !system::has_name(opened.file))
      continue;
    lock_ = std::move(opened.file);
    break;
  }
  unfinished_.emplace(path_.string());
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (unfinished_) fs::remove(path_, ignored);
}

void PendingFile::commit() {
  if (!unfinished_) return;
  const system::Opened opened = system::open_file(path_, system::Access::read);
  if (opened.error != 0) cannot_write(target_, opened.error);
  if (const int error = system::flush_to_disk(opened.file); error != 0) cannot_write(target_, error);
  std::error_code failure;
  fs::rename(path_, target_, failure);
  if (failure) cannot_write(target_, failure.value());
  unfinished_.reset();
}

void write_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  PendingFile pending(path);
  {
    const system::Opened opened = system::open_file(pending.path(), system::Access::overwrite);
    if (opened.error != 0) cannot_write(path, opened.error);
    if (const int error = system::write_all(opened.file.number(), bytes); error != 0)
      cannot_write(path, error);
  }
  pending.commit();
}

std::vector<std::byte> read_file(const fs::path& path) {
  std::error_code failure;
  // A pipe would be waited for, and has no size.
  const fs::file_status status = fs::status(path, failure);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    throw Error(ErrorCode::io, "not_a_regular_file",
                "Cannot read '{path}': it is a pipe, a socket or a device, not a file.",
                {{"path", path.string()}});
  const auto size = fs::file_size(path, failure);
  std::ifstream in(path, std::ios::binary);
  if (failure || !in) cannot_read(path, failure ? failure.value() : errno);
  std::vector<std::byte> bytes(size);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    cannot_read(path, EIO);
  return bytes;
}

}  // namespace kore
