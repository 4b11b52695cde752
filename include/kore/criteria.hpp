#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kore/structure.hpp"

namespace kore {

/// A fitted model that a classical criterion may choose.
struct LadderCandidate {
  Structure structure = Structure::additive;
  int resolution = 0;
  double p = 0;
  double rss = 0;
};

enum class Criterion { gcv, cp, aic, bic };
const char* to_string(Criterion criterion);

/// The choice of a classical method, and how many fits it needed.
struct LadderChoice {
  std::string method;  ///< "cv", "gcv", "cp", "aic" or "bic".
  Structure structure = Structure::additive;
  int resolution = 0;
  double score = 0;
  int fits = 0;
};

/// Chooses among fitted candidates (paper, appendix "The full classical-selector ladder"). `candidates` holds
/// the additive ones first, each family by rising resolution. `families` is 1 where no pairwise family
/// competes; the count of fits is all candidates plus one refit per family.
LadderChoice choose_by_criterion(Criterion criterion, std::span<const LadderCandidate> candidates, double n,
                                 int families);

/// Shuffled K-fold partition, equal to scikit-learn's `KFold(k, shuffle=True, random_state=seed)`: test rows
/// of each fold, ascending.
std::vector<std::vector<std::size_t>> shuffled_folds(std::size_t rows, int folds, std::uint32_t seed);

}  // namespace kore
