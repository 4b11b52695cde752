#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "kore/error.hpp"

namespace kore {
namespace {

class FirstException {
 public:
  void capture() {
    const std::scoped_lock lock(mutex_);
    if (!exception_) exception_ = std::current_exception();
  }
  void capture(const Error& error) {
    const std::scoped_lock lock(mutex_);
    if (!exception_) exception_ = std::make_exception_ptr(error);
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

Error refuse_thread(const std::system_error& refused) {
  return {ErrorCode::io,
          "no_more_threads",
          "The system does not start another thread: {cause}. Ask for fewer threads, or raise the limit on "
          "processes "
          "or memory.",
          {{"cause", refused.code().message()}}};
}

}  // namespace

int resolve_threads(int requested) {
  if (requested < 0)
    throw Error(ErrorCode::invalid_argument, "bad_thread_count",
                "The number of threads is {threads}; it must be positive, or 0 for all cores.",
                {{"threads", requested}});
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const auto members =
      static_cast<std::size_t>(std::min<std::size_t>(static_cast<std::size_t>(threads), count));
  if (members <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  FirstException failure;
  const auto drain = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      failure.capture();
    }
  };
  {
    std::vector<std::jthread> team;
    try {
      for (std::size_t t = 1; t < members; ++t) team.emplace_back(drain);
    } catch (const std::system_error&) {
      // No more threads: those that started, and this one, do all of the work.
    }
    drain();
  }
  failure.rethrow();
}

void parallel_region(int threads, const std::function<void(int, std::barrier<>&)>& work) {
  threads = std::max(threads, 1);
  std::barrier<> barrier(threads);
  FirstException failure;
  const auto run = [&](int member) {
    try {
      work(member, barrier);
    } catch (...) {
      failure.capture();
    }
    barrier.arrive_and_drop();
  };
  {
    std::vector<std::jthread> team;
    for (int t = 1; t < threads; ++t) {
      try {
        team.emplace_back(run, t);
      } catch (const std::system_error& refused) {
        // Those that started must not wait for those that did not.
        failure.capture(refuse_thread(refused));
        for (; t < threads; ++t) barrier.arrive_and_drop();
      }
    }
    run(0);
  }
  failure.rethrow();
}

}  // namespace kore
