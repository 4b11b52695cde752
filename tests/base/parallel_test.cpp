#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kore/error.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::refusal;

class ParallelOn : public testing::TestWithParam<int> {
 protected:
  int threads() const { return GetParam(); }
};

TEST_P(ParallelOn, CallsEveryIndexOnce) {
  for (const std::size_t count : {0, 1, 2, 3, 1000}) {
    std::vector<std::atomic<int>> calls(count);
    parallel_for(count, threads(), [&](std::size_t i) { ++calls.at(i); });
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto& n) { return n == 1; })) << count;
  }
}

TEST_P(ParallelOn, UsesAtMostTheseManyThreads) {
  std::atomic<int> at_work{0};
  std::atomic<int> most{0};
  parallel_for(200, threads(), [&](std::size_t) {
    const int now = ++at_work;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --at_work;
  });
  EXPECT_GE(most, 1);
  EXPECT_LE(most, threads());
}

TEST_P(ParallelOn, RethrowsAnExceptionAfterAllHaveStopped) {
  std::atomic<int> at_work{0};
  std::atomic<int> calls{0};
  const auto work = [&](std::size_t i) {
    ++calls;
    ++at_work;
    std::this_thread::yield();
    --at_work;
    if (i == 3) throw std::runtime_error("index 3");
  };
  try {
    parallel_for(1'000'000'000, threads(), work);
    FAIL() << "the exception was swallowed";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "index 3");
  }
  EXPECT_EQ(at_work, 0);
  EXPECT_GE(calls, 4);
  EXPECT_LT(calls, 1'000'000'000) << "the rest must not be worked off for nothing";
}

TEST_P(ParallelOn, RethrowsOneOfManyExceptions) {
  EXPECT_THROW(parallel_for(50, threads(), [](std::size_t i) { throw std::out_of_range(std::to_string(i)); }),
               std::out_of_range);
}

TEST_P(ParallelOn, RegionRunsEveryMemberOnceAndAtTheSameTime) {
  std::vector<std::atomic<int>> runs(static_cast<std::size_t>(threads()));
  parallel_region(threads(), [&](int member, std::barrier<>& barrier) {
    ++runs.at(static_cast<std::size_t>(member));
    barrier.arrive_and_wait();  // would wait for ever if members came one after the other
    for (const auto& n : runs) EXPECT_EQ(n, 1);
  });
}

// Every member adds to a running total from what its neighbour left in the step before: without the barriers,
// or if one let a member through early, some member would read an old or half-written step.
TEST_P(ParallelOn, BarriersOfARegionSeparateItsSteps) {
  const auto members = static_cast<std::size_t>(threads());
  constexpr int steps = 300;
  std::vector<std::vector<long>> value(2, std::vector<long>(members));
  for (std::size_t m = 0; m < members; ++m) value[0][m] = static_cast<long>(m);
  parallel_region(threads(), [&](int member, std::barrier<>& barrier) {
    const auto me = static_cast<std::size_t>(member);
    for (int s = 0; s < steps; ++s) {
      const auto& from = value[static_cast<std::size_t>(s % 2)];
      value[static_cast<std::size_t>((s + 1) % 2)][me] = from[(me + 1) % members] + 1;
      barrier.arrive_and_wait();
    }
  });
  for (std::size_t m = 0; m < members; ++m)
    EXPECT_EQ(value[0][m], static_cast<long>((m + steps) % members) + steps);
}

TEST_P(ParallelOn, ARegionGoesOnWithoutAMemberThatFailed) {
  std::vector<std::atomic<int>> steps(static_cast<std::size_t>(threads()));
  const auto work = [&](int member, std::barrier<>& barrier) {
    for (int s = 0; s < 10; ++s) {
      if (member == 0 && s == 4) throw std::runtime_error("member 0");
      ++steps[static_cast<std::size_t>(member)];
      barrier.arrive_and_wait();
    }
  };
  EXPECT_THROW(parallel_region(threads(), work), std::runtime_error);
  EXPECT_EQ(steps[0], 4);
  for (std::size_t m = 1; m < steps.size(); ++m) EXPECT_EQ(steps[m], 10);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelOn, testing::Values(1, 2, 4));

TEST(Threads, AreTheRequestedNumberOrAllCores) {
  EXPECT_EQ(resolve_threads(1), 1);
  EXPECT_EQ(resolve_threads(64), 64);
  EXPECT_EQ(resolve_threads(0), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST(Threads, ANegativeNumberIsRefused) {
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [] { resolve_threads(-2); }),
            "The number of threads is -2; it must be positive, or 0 for all cores.");
}

}  // namespace
}  // namespace kore
