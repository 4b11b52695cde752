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

[[noreturn]] void cannot_write(const fs::path& path, int number) {
  throw Error(ErrorCode::io, "cannot_write_file", "Cannot write '{path}': {cause}.",
              {{"path", path.string()}, {"cause", system::error_text(number)}});
}

[[noreturn]] void cannot_read(const fs::path& path, int number) {
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

}  // namespace

PendingFile::PendingFile(const fs::path& target) : target_(resolved(target)), path_(target_) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) cannot_write(target, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return;
  // Beside the target, because a rename must not cross file systems; a name left over from a killed process
  // is skipped.
  for (int attempt = 0;; ++attempt) {
    path_ =
        target_.string() + ".partial-" + std::to_string(system::process_id()) + "-" + std::to_string(attempt);
    const int error = system::open_file(path_, system::Access::create).error;
    if (error == 0) break;
    if (error != EEXIST) cannot_write(target, error);
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
  const auto size = fs::file_size(path, failure);
  std::ifstream in(path, std::ios::binary);
  if (failure || !in) cannot_read(path, failure ? failure.value() : errno);
  std::vector<std::byte> bytes(size);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    cannot_read(path, EIO);
  return bytes;
}

}  // namespace kore
