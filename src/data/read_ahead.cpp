#include "data/read_ahead.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace kore::data {
namespace {

/// Blocks on their way from the thread that reads to the one that uses them, and back for another filling.
class Belt {
 public:
  explicit Belt(std::size_t ahead) : ahead_(ahead) {}

  bool deliver(OwnedBlock& block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || filled_.size() < ahead_; });
    if (stopped_) return false;
    const std::size_t room = block.x.size();
    filled_.push_back(std::exchange(block, {}));
    if (!emptied_.empty()) {
      block = std::move(emptied_.back());
      emptied_.pop_back();
    }
    block.x.resize(room);
    changed_.notify_all();
    return true;
  }

  std::optional<OwnedBlock> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !filled_.empty(); });
    if (filled_.empty()) return std::nullopt;
    OwnedBlock block = std::move(filled_.front());
    filled_.pop_front();
    changed_.notify_all();
    return block;
  }

  void give_back(OwnedBlock block) {
    block.y.clear();
    block.weights.clear();
    const std::lock_guard lock(mutex_);
    emptied_.push_back(std::move(block));
  }

  void stop() { set(stopped_); }
  void end() { set(ended_); }

 private:
  void set(bool& flag) {
    const std::lock_guard lock(mutex_);
    flag = true;
    changed_.notify_all();
  }

  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<OwnedBlock> filled_;
  std::vector<OwnedBlock> emptied_;
  bool stopped_ = false;  // by whoever uses the blocks
  bool ended_ = false;    // by whoever reads them
};

/// However the visitor leaves, the reader is told before its thread is waited for.
struct StopOnLeaving {
  explicit StopOnLeaving(Belt& it) : belt(it) {}
  ~StopOnLeaving() { belt.stop(); }
  StopOnLeaving(const StopOnLeaving&) = delete;
  StopOnLeaving& operator=(const StopOnLeaving&) = delete;
  Belt& belt;
};

}  // namespace

void read_ahead(std::size_t ahead, const std::function<void(const Deliver&)>& read,
                const std::function<void(const OwnedBlock&)>& visit) {
  Belt belt(ahead);
  std::exception_ptr failure;
  std::jthread reader([&] {
    try {
      read([&belt](OwnedBlock& block) { return belt.deliver(block); });
    } catch (...) {
      failure = std::current_exception();
    }
    belt.end();
  });
  const StopOnLeaving stop(belt);
  while (std::optional<OwnedBlock> block = belt.next()) {
    visit(*block);
    belt.give_back(std::move(*block));
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace kore::data
