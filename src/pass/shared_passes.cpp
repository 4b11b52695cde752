#include "pass/shared_passes.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "kore/pass.hpp"

namespace kore {
namespace {

/// Thrown inside a fit that has to end because another one failed.
struct Abandoned {};

using Visit = std::function<void(const RowBlock&)>;

/// One fit on a thread of its own. It and the thread that reads the rows take turns: exactly one of both
/// runs.
class Participant final : public RowSource {
 public:
  Participant(const RowSource& rows, const FitOfSource& fit)
      : rows_(rows), thread_([this, &fit] { work(fit); }) {}
  ~Participant() override {
    abandoned_ = true;
    while (!done_) resume();
  }
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  std::size_t columns() const override { return rows_.columns(); }
  void for_each_block(const Visit& visit) const override {
    visit_ = &visit;
    hand_over();
    visit_ = nullptr;
    if (abandoned_) throw Abandoned{};
    if (error_of_pass_) std::rethrow_exception(std::exchange(error_of_pass_, nullptr));
  }

  /// Lets the fit run until it waits for rows or is done. For the reading thread.
  void resume() {
    std::unique_lock lock(mutex_);
    running_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !running_; });
  }
  bool waits() const { return visit_ != nullptr; }
  /// A block that it waits for. An error of its own is kept for when it runs again.
  void take(const RowBlock& block) {
    if (error_of_pass_) return;
    try {
      (*visit_)(block);
    } catch (...) {
      error_of_pass_ = std::current_exception();
    }
  }
  std::exception_ptr error() const { return error_; }

 private:
  void work(const FitOfSource& fit) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return running_; });
    }
    try {
      if (!abandoned_) fit(*this);
    } catch (const Abandoned&) {
      static_cast<void>(0);  // somebody else's error is thrown
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    running_ = false;
    changed_.notify_all();
  }
  /// Lets the reading thread run until it resumes this one.
  void hand_over() const {
    std::unique_lock lock(mutex_);
    running_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return running_; });
  }

  const RowSource& rows_;
  // Who runs may write them; the mutex is passed on with every turn.
  mutable const Visit* visit_ = nullptr;
  mutable std::exception_ptr error_of_pass_;
  std::exception_ptr error_;
  bool abandoned_ = false;
  bool done_ = false;
  mutable bool running_ = false;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::jthread thread_;  // the last member: it uses all others
};

void read_for_all(const RowSource& rows, std::deque<Participant>& team) {
  rows.for_each_block([&](const RowBlock& block) {
    for (Participant& one : team)
      if (one.waits()) one.take(block);
  });
}

}  // namespace

void share_passes(const RowSource& rows, std::span<const FitOfSource> fits) {
  std::deque<Participant> team;
  try {
    for (const FitOfSource& fit : fits) team.emplace_back(rows, fit);
  } catch (const std::system_error&) {
    team.clear();
    for (const FitOfSource& fit : fits) fit(rows);
    return;
  }
  for (Participant& one : team) {
    one.resume();
    if (one.error()) std::rethrow_exception(one.error());
  }
  while (std::ranges::any_of(team, &Participant::waits)) {
    read_for_all(rows, team);
    for (Participant& one : team) {
      if (!one.waits()) continue;
      one.resume();
      if (one.error()) std::rethrow_exception(one.error());
    }
  }
}

}  // namespace kore
