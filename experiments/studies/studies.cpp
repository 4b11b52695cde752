#include "experiments/studies/studies.hpp"

#include <array>

namespace kore::experiments {

std::span<const StudyEntry> study_list() {
  static const std::array<StudyEntry, 10> studies{{
      {"law", 5, law_study},
      {"frontier", 5, frontier_study},
      {"benchmark", 5, benchmark_study},
      {"discovery", 5, discovery_study},
      {"robustness", 5, robustness_study},
      {"scaling", 3, scaling_study},
      {"noise", 5, noise_study},
      {"degree", 5, degree_study},
      {"consistency", 20, consistency_study},
      {"concentration", 100, concentration_study, false},
  }};
  return studies;
}

}  // namespace kore::experiments
