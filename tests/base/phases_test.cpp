#include "kore/phases.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/parallel.hpp"

namespace kore {
namespace {

constexpr auto a_moment = std::chrono::milliseconds(2);

TEST(Phases, AreInsideOfThoseThatRan) {
  PhaseTimes times;
  for (int round = 0; round < 3; ++round) {
    const PhaseTimer outer(&times, "outer");
    const PhaseTimer inner(&times, "inner");
    std::this_thread::sleep_for(a_moment);
  }
  { const PhaseTimer alone(&times, "inner"); }
  const std::vector<Phase> phases = times.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].name, "outer");
  EXPECT_EQ(phases[0].times, 3U);
  ASSERT_EQ(phases[0].parts.size(), 1U);
  EXPECT_EQ(phases[0].parts[0].name, "inner");
  EXPECT_EQ(phases[0].parts[0].times, 3U);
  EXPECT_GE(phases[0].parts[0].seconds, 3 * std::chrono::duration<double>(a_moment).count());
  EXPECT_GE(phases[0].seconds, phases[0].parts[0].seconds);
  EXPECT_EQ(phases[1].name, "inner");  // inside of nothing
  EXPECT_EQ(phases[1].times, 1U);
  EXPECT_TRUE(phases[1].parts.empty());
}

TEST(Phases, EndWithTheBlockThatAnExceptionLeaves) {
  PhaseTimes times;
  EXPECT_THROW(
      {
        const PhaseTimer timer(&times, "fails");
        throw 1;
      },
      int);
  { const PhaseTimer timer(&times, "after it"); }
  ASSERT_EQ(times.phases().size(), 2U);
  EXPECT_EQ(times.phases()[1].name, "after it");
}

TEST(Phases, OfTasksAddUpInsideOfTheOneThatRuns) {
  PhaseTimes times;
  {
    const PhaseTimer timer(&times, "folds");
    PhasesOfThreads tasks(&times, 8);
    parallel_for(8, 4, [&](std::size_t task) {
      const PhaseTimer outer(tasks.of_task(task), "fit");
      const PhaseTimer inner(tasks.of_task(task), task % 2 == 0 ? "even" : "odd");
      std::this_thread::sleep_for(a_moment);
    });
  }
  const std::vector<Phase> phases = times.phases();
  ASSERT_EQ(phases.size(), 1U);
  ASSERT_EQ(phases[0].parts.size(), 1U);
  const Phase& fit = phases[0].parts[0];
  EXPECT_EQ(fit.times, 8U);
  EXPECT_GE(fit.seconds, 8 * std::chrono::duration<double>(a_moment).count());
  ASSERT_EQ(fit.parts.size(), 2U);
  EXPECT_EQ(fit.parts[0].name, "even");
  EXPECT_EQ(fit.parts[0].times, 4U);
  EXPECT_EQ(fit.parts[1].times, 4U);
}

TEST(Phases, NeedNoRecorder) {
  PhasesOfThreads tasks(nullptr, 3);
  EXPECT_EQ(tasks.of_task(2), nullptr);
  const PhaseTimer timer(nullptr, "nothing");
}

}  // namespace
}  // namespace kore
