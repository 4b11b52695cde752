#pragma once

#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

/// A pair of features and the share of the residual variance of an additive fit that its interaction
/// explains.
struct ScoredPair {
  FeaturePair pair;
  double explained = 0;
};

struct ScreeningOptions {
  int degree = 3;
  int additive_resolution = 5;  ///< Resolution of the additive fit whose residuals are explained.
  int pair_resolution = 2;      ///< Resolution of the pairs that explain them.
  double ridge = 1e-8;
  bool relative_ridge = false;
  double stability = 0.45;
  int threads = 1;
};

/// Scores every pair (paper, appendix "Graph discovery") and ranks them, best first; ties keep the order
/// `(0,1), (0,2), ...`. Empty if the additive fit leaves nothing to explain or the rows are too few for a
/// single pair. Costs two passes over the rows.
std::vector<ScoredPair> screen_pairs(const RowSource& source, std::span<const Feature> features,
                                     const ScreeningOptions& options);

/// The ranked pairs at or above `threshold`, at most `most`.
std::vector<FeaturePair> keep_pairs(std::span<const ScoredPair> ranked, double threshold, std::size_t most);

}  // namespace kore
