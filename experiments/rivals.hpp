#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/selectors.hpp"

namespace kore::experiments {

/// A candidate of a selector with the score it was judged by.
struct Rival {
  Structure structure = Structure::additive;
  int resolution = 0;
  double score = 0;
};

/// The candidates of a selector ("kore", "cv", "gcv", "cp", "aic" or "bic"), best first. For KORE those it
/// looked at, by their leave-one-out error.
std::vector<Rival> ranked_candidates(const Problem& problem, const std::string& method,
                                     std::uint64_t fold_seed, int threads);

/// Two scores this close, relative to their size, are a tie to rounding: the order of summation decides.
inline constexpr double tie = 1e-8;

/// How far the second of the ranked candidates is behind the first, relative to its score; infinite for a
/// single one.
double lead(const std::vector<Rival>& ranked);

/// "additive 15 (0.0012) and additive 14 (0.0012), 3e-10 apart".
std::string describe_lead(const std::vector<Rival>& ranked);

}  // namespace kore::experiments
