#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "base/system.hpp"

namespace kore::system {
namespace {

static_assert(longest_path == PATH_MAX);

// By system calls alone: opendir would allocate, which a signal handler may not.
void remove_files_in(int folder) noexcept {
  alignas(dirent64) std::array<char, 4096> buffer{};
  for (;;) {
    const long bytes = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (bytes <= 0) return;
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      ::unlinkat(folder, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
}

void remove_folder(const char* path) noexcept {
  // Other threads still run and may add a file meanwhile.
  for (int attempt = 0; attempt < 5; ++attempt) {
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    remove_files_in(folder);
    ::close(folder);
    if (::rmdir(path) == 0) return;
  }
}

}  // namespace

void remove_in_signal_handler(const char* path) noexcept {
  if (::unlink(path) != 0 && errno == EISDIR) remove_folder(path);
}

}  // namespace kore::system
