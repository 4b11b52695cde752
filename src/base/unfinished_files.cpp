#include "base/unfinished_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>

namespace kore {
namespace {

// Fixed storage, because a signal handler may not allocate. A process writes one or two files at a time.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> ready{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 8> slots;

// By system calls alone: opendir would allocate.
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

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::copy(path.begin(), path.end(), slots[i].path.begin());
    slots[i].path[path.size()] = '\0';
    slots[i].ready = true;
    slot_ = static_cast<int>(i);
    return;
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ < 0) return;
  slots[static_cast<std::size_t>(slot_)].ready = false;
  slots[static_cast<std::size_t>(slot_)].taken = false;
}

void remove_unfinished_files() noexcept {
  for (Slot& slot : slots)
    if (slot.ready && ::unlink(slot.path.data()) != 0 && errno == EISDIR) remove_folder(slot.path.data());
}

}  // namespace kore
