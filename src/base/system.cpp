#include "base/system.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/control_group.hpp"
#include "kore/error.hpp"

namespace kore::system {

static_assert(standard_input == STDIN_FILENO && standard_output == STDOUT_FILENO);

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

void Descriptor::close() noexcept {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Opened open_file(const std::filesystem::path& path, Access access) {
  int flags = O_CLOEXEC;
  switch (access) {
    case Access::read:
      flags |= O_RDONLY;
      break;
    case Access::overwrite:
      flags |= O_WRONLY | O_TRUNC;
      break;
    case Access::create:
    case Access::create_private:
      flags |= O_WRONLY | O_CREAT | O_EXCL;
      break;
  }
  Descriptor file(::open(path.c_str(), flags, access == Access::create_private ? 0600 : 0666));
  const int error = file ? 0 : errno;
  return {std::move(file), error};
}

Opened open_unnamed(const std::filesystem::path& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  const int error = file ? 0 : errno;
  return {std::move(file), error};
}

std::filesystem::path temporary_folder() {
  std::error_code failure;
  std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
  if (failure)
    throw Error(
        ErrorCode::io, "no_temporary_folder",
        "There is no folder for temporary files: {cause}. Set TMPDIR to a folder that can be written.",
        {{"cause", failure.message()}});
  return folder;
}

Lock lock(const Descriptor& file) {
  if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0) return Lock::ours;
  return errno == EWOULDBLOCK ? Lock::of_another : Lock::impossible;
}

bool has_name(const Descriptor& file) {
  struct stat facts {};
  return ::fstat(file.number(), &facts) == 0 && facts.st_nlink > 0;
}

int flush_to_disk(const Descriptor& file) { return ::fsync(file.number()) == 0 ? 0 : errno; }

int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

Received read_some(int descriptor, std::span<std::byte> buffer) {
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count >= 0) return {static_cast<std::size_t>(count), 0};
    if (errno != EINTR) return {0, errno};
  }
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {{}, {}, errno};
  return {Descriptor(ends[1]), Descriptor(ends[0]), 0};
}

std::string path_of(const Descriptor& descriptor) { return "/dev/fd/" + std::to_string(descriptor.number()); }

std::string error_text(int error) { return std::generic_category().message(error); }

long process_id() { return ::getpid(); }

bool error_output_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

bool has_room_for(std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, bytes);
  return true;
}

std::optional<std::uint64_t> physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGE_SIZE);
  std::optional<std::uint64_t> memory;
  if (pages > 0 && page_size > 0)
    memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
  const auto at_most = [&memory](std::optional<std::uint64_t> limit) {
    if (limit) memory = std::min(memory.value_or(*limit), *limit);
  };
  at_most(control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
    at_most(addresses.rlim_cur);
  return memory;
}

void* symbol_named(const char* name) { return dlsym(RTLD_DEFAULT, name); }

}  // namespace kore::system
