#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "experiments/study.hpp"

namespace kore::experiments {

// One maker per experiment of the paper, each with so many seeds per setting.
Study law_study(std::size_t seeds);
Study frontier_study(std::size_t seeds);
Study benchmark_study(std::size_t seeds);
Study discovery_study(std::size_t seeds);
Study robustness_study(std::size_t seeds);
Study scaling_study(std::size_t seeds);
Study noise_study(std::size_t seeds);
Study degree_study(std::size_t seeds);
Study consistency_study(std::size_t seeds);
Study concentration_study(std::size_t seeds);

struct StudyEntry {
  std::string name;
  std::size_t seeds = 0;  ///< In the published run.
  Study (*make)(std::size_t seeds) = nullptr;
  bool takes_seeds =
      true;  ///< False where all seeds make up one row, so that their number cannot be changed.
};

/// Every experiment, in the order of the paper's commands.
std::span<const StudyEntry> study_list();

}  // namespace kore::experiments
