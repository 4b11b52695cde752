#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kore {

/// A part of a fit that was timed: how often it ran, and for how long altogether. A part may have parts of
/// its own; what remains of its time is everything else.
struct Phase {
  std::string name;
  std::uint64_t times = 0;
  double seconds = 0;
  std::vector<Phase> parts = {};  ///< In the order in which they first began.
};

/// Where the time of a fit goes. Each `PhaseTimer` is a phase, inside of the one that runs already. For one
/// thread at a time: threads that share work have a recorder each (`PhasesOfThreads`).
class PhaseTimes {
 public:
  /// The phases that are inside of no other.
  std::vector<Phase> phases() const { return parts_of(nothing); }
  /// Adds phases to those inside of the one that runs, or among the first where none runs.
  void add(const std::vector<Phase>& more);

 private:
  friend class PhaseTimer;
  static constexpr std::size_t nothing = ~std::size_t{0};
  struct Node {
    std::string name;
    std::size_t parent = nothing;
    std::uint64_t times = 0;
    double seconds = 0;
  };

  std::size_t inside(std::size_t parent, std::string_view name);
  std::vector<Phase> parts_of(std::size_t parent) const;

  std::vector<Node> nodes_;
  std::size_t running_ = nothing;
};

/// A phase of this name, from here to the end of the block. Without a recorder, nothing.
class PhaseTimer {
 public:
  PhaseTimer(PhaseTimes* times, std::string_view name);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  PhaseTimes* times_;
  std::size_t outer_ = PhaseTimes::nothing;
  std::chrono::steady_clock::time_point start_ = {};
};

/// A recorder for each task of a loop that threads share. In the end the phases of all tasks are added to
/// `times`: seconds of threads that ran at once add up.
class PhasesOfThreads {
 public:
  PhasesOfThreads(PhaseTimes* times, std::size_t tasks)
      : times_(times), tasks_(times != nullptr ? tasks : 0) {}
  ~PhasesOfThreads();
  PhasesOfThreads(const PhasesOfThreads&) = delete;
  PhasesOfThreads& operator=(const PhasesOfThreads&) = delete;

  PhaseTimes* of_task(std::size_t task) { return tasks_.empty() ? nullptr : &tasks_[task]; }

 private:
  PhaseTimes* times_;
  std::vector<PhaseTimes> tasks_;
};

}  // namespace kore
