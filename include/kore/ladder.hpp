#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kore/criteria.hpp"
#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

/// The full-grid methods that KORE replaces. Resolutions from 1 (or `lowest`) to the given ones, in both
/// families.
struct LadderOptions {
  int degree = 3;
  int lowest = 1;
  int max_resolution_additive = 20;
  int max_resolution_pairwise = 10;
  double stability = 0.45;  ///< Pairwise candidates of the criteria need `p < stability * n`.
  double ridge = 1e-8;
  bool relative_ridge = false;
  /// Candidates with more columns do not compete; 0: all do. A fit costs about `columns^3 / 3` operations.
  std::size_t max_columns = 0;
  /// How each feature enters in cross-validation, which finds their ranges itself; empty: all as splines.
  std::vector<FeatureKind> kinds;
  /// How many levels each feature has, where `kinds` says it is a category; may be empty where none is.
  std::vector<int> levels;
  int folds = 3;
  std::uint32_t seed = 0;  ///< Of the shuffled folds.
  int threads = 1;
};

/// GCV, Cp, AIC and BIC, in this order, from one fit per candidate. Empty `pairs`: the additive family alone.
/// Candidates in `known`, such as those a selection has already fitted to the same rows, are not fitted
/// again.
std::vector<LadderChoice> criteria_ladder(const RowSource& source, std::span<const Feature> features,
                                          std::span<const FeaturePair> pairs, const LadderOptions& options,
                                          std::span<const Candidate> known = {});

/// Exhaustive K-fold cross-validation: knots and means are found anew on each training part. The data must be
/// in memory, and every fold is a copy. A candidate that cannot win any more, whatever its remaining folds
/// give, is not fitted to them; `fits` counts the whole grid.
LadderChoice cross_validate(const RowBlock& data, std::span<const FeaturePair> pairs,
                            const LadderOptions& options);

}  // namespace kore
