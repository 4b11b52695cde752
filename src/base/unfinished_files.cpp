#include "base/unfinished_files.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/system.hpp"

namespace kore {
namespace {

// Fixed storage, because a signal handler may not allocate. A process writes one or two files at a time.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> ready{false};
  std::array<char, system::longest_path> path{};
};
std::array<Slot, 8> slots;

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= system::longest_path) return;
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
    if (slot.ready) system::remove_in_signal_handler(slot.path.data());
}

}  // namespace kore
