#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kore/criteria.hpp"
#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

/// The grid searches that KORE replaces: all resolutions from `lowest` to the largest, of additive and of
/// pairwise models.
struct LadderOptions {
  int degree = 3;
  int lowest = 1;
  int max_resolution_additive = 20;
  int max_resolution_pairwise = 10;
  double stability = 0.45;  ///< Pairwise candidates of the criteria need `p < stability * n`.
  double ridge = 1e-8;
  bool relative_ridge = false;
  /// Candidates with more columns are left out; 0: no limit. A fit costs about `columns^3 / 3` operations.
  std::size_t max_columns = 0;
  /// The kind of each feature in cross-validation, which finds their ranges itself; empty: all are splines.
  std::vector<FeatureKind> kinds;
  /// How many levels each feature has, where `kinds` says it is a category; may be empty where none is.
  std::vector<int> levels;
  int folds = 3;
  std::uint32_t seed = 0;  ///< Of the shuffled folds.
  int threads = 1;
};

/// The choices of GCV, Cp, AIC and BIC, in this order, from one fit per candidate. Empty `pairs`: additive
/// models alone. Candidates in `known`, which a selection has already fitted to the same rows, are not fitted
/// again.
std::vector<LadderChoice> criteria_ladder(const RowSource& source, std::span<const Feature> features,
                                          std::span<const FeaturePair> pairs, const LadderOptions& options,
                                          std::span<const LadderCandidate> known = {});

/// Exhaustive K-fold cross-validation. Knots and means are computed again on each training part. The data
/// must be in memory, and every fold is copied. Once a candidate cannot win any more, its remaining folds are
/// not fitted; `fits` counts the whole grid all the same.
LadderChoice cross_validate(const RowBlock& data, std::span<const FeaturePair> pairs,
                            const LadderOptions& options);

}  // namespace kore
