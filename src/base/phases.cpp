#include "kore/phases.hpp"

namespace kore {

/// The phase of this name inside of another, which is made where there is none. A fit has some dozens of
/// phases, so that they are searched one by one.
std::size_t PhaseTimes::inside(std::size_t parent, std::string_view name) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].parent == parent && nodes_[i].name == name) return i;
  nodes_.push_back({std::string(name), parent});
  return nodes_.size() - 1;
}

std::vector<Phase> PhaseTimes::parts_of(std::size_t parent) const {
  std::vector<Phase> parts;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].parent == parent)
      parts.push_back({nodes_[i].name, nodes_[i].times, nodes_[i].seconds, parts_of(i)});
  return parts;
}

void PhaseTimes::add(const std::vector<Phase>& more) {
  const std::size_t outer = running_;
  for (const Phase& phase : more) {
    const std::size_t place = inside(outer, phase.name);
    nodes_[place].times += phase.times;
    nodes_[place].seconds += phase.seconds;
    running_ = place;
    add(phase.parts);
    running_ = outer;
  }
}

PhaseTimer::PhaseTimer(PhaseTimes* times, std::string_view name) : times_(times) {
  if (times_ == nullptr) return;
  outer_ = times_->running_;
  times_->running_ = times_->inside(outer_, name);
  start_ = std::chrono::steady_clock::now();
}

PhaseTimer::~PhaseTimer() {
  if (times_ == nullptr) return;
  PhaseTimes::Node& phase = times_->nodes_[times_->running_];
  phase.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  ++phase.times;
  times_->running_ = outer_;
}

PhasesOfThreads::~PhasesOfThreads() {
  for (const PhaseTimes& task : tasks_) times_->add(task.phases());
}

}  // namespace kore
