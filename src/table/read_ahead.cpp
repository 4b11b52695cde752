#include "table/read_ahead.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace kore::table {
namespace {

/// Blocks on their way from the thread that reads to the one that uses them, and back for another filling.
class BlockQueue {
 public:
  explicit BlockQueue(std::size_t ahead) : ahead_(ahead) {}

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
    block.clear();
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
  explicit StopOnLeaving(BlockQueue& it) : queue(it) {}
  ~StopOnLeaving() { queue.stop(); }
  StopOnLeaving(const StopOnLeaving&) = delete;
  StopOnLeaving& operator=(const StopOnLeaving&) = delete;
  BlockQueue& queue;
};

}  // namespace

void read_ahead(std::size_t ahead, const std::function<void(const Deliver&)>& read,
                const std::function<void(const OwnedBlock&)>& visit) {
  BlockQueue queue(ahead);
  std::exception_ptr failure;
  std::jthread reader;
  try {
    reader = std::jthread([&] {
      try {
        read([&queue](OwnedBlock& block) { return queue.deliver(block); });
      } catch (...) {
        failure = std::current_exception();
      }
      queue.end();
    });
  } catch (const std::system_error&) {
    // No more threads: this one reads and visits in turn.
    read([&visit](OwnedBlock& block) {
      visit(block);
      block.clear();
      return true;
    });
    return;
  }
  const StopOnLeaving stop(queue);
  while (std::optional<OwnedBlock> block = queue.next()) {
    visit(*block);
    queue.give_back(std::move(*block));
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace kore::table
