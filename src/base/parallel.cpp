#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
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
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

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
    for (std::size_t t = 1; t < members; ++t) team.emplace_back(drain);
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
      } catch (...) {  // no more threads: those that started must not wait for those that did not
        failure.capture();
        for (; t < threads; ++t) barrier.arrive_and_drop();
      }
    }
    run(0);
  }
  failure.rethrow();
}

}  // namespace kore
