#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grow/grow.hpp"

namespace kore {

// The referee repeats the whole procedure with a part of the rows left out: ranges, warps, pilots, screening,
// growth and penalty weights. What it finds is the error of the procedure on rows that took part in none of
// its choices. Leave-one-out is different: it takes terms and weights as given, though the same rows chose
// them.

/// A model that competes: the stage of a kind. Weights that maximise the likelihood of few rows are too small
/// on average, so stages also compete with these weights multiplied by `shrinkage` (as in `fit_shrunk`).
struct Candidate {
  StageKind kind = StageKind::constant;
  double shrinkage = 1;

  bool penalised() const {
    return kind != StageKind::unpenalised_main_effects && kind != StageKind::unpenalised_pairs;
  }
  bool has_interactions() const { return kind >= StageKind::certain_pairs; }
};

/// All of them, from simple to rich.
std::span<const Candidate> candidates();

/// What to grow in the folds. `whole` is the growth from all rows: leave-one-out flatters rich models, so
/// those that lose by it already are not grown again. Where there are many rows, terms start with the
/// resolutions and weights that they have there; `whole` then has to outlive the options.
GrowOptions options_of_folds(const GrowOptions& options, const Growth& whole, std::size_t rows);

/// Which candidates a growth has, if folds grow with these options; the constant is always there unless only
/// interactions may be chosen. Where none is left, the growth's own choice.
std::vector<bool> competitors(const Growth& growth, const GrowOptions& folds);

/// Predictions for rows that the fits have not seen: one list for each candidate, all of one length. Where a
/// growth does not have the stage of a candidate, the next simpler one predicts in its place.
using LeftOut = std::vector<std::vector<double>>;

/// How many parts the rows are cut into: ten where they are few, fewer where a fit takes long.
std::size_t fold_count(std::size_t rows);

/// The fold of every row. Rows of the same unit, for example those of a group, share a fold. `units` has a
/// hash for each row. Which units share a fold depends on their hashes and sizes, and not on the order of the
/// rows. Folds have about the same number of rows that count.
std::vector<std::size_t> folds_of(std::span<const std::uint64_t> units, const RowCounts& weights,
                                  std::size_t folds);

/// A hash of the ranks of a row's features among those of the rows that count. So it does not depend on the
/// order of rows, on units, or on features that do not vary.
std::vector<std::uint64_t> feature_hashes(const MatrixView& x, const RowCounts& weights = {});

/// Grows a model from all rows but those of a fold, for every fold, and predicts the fold's rows. Threads
/// share the folds; the result does not depend on them. `options.progress` is called from the calling thread,
/// so that a caller can tell how far the referee is, and end it by an exception.
LeftOut leave_folds_out(const GrowingData& data, const GrowOptions& options,
                        std::span<const std::size_t> folds);

/// Predictions of a growth for other rows, within the limits of its target.
LeftOut predict_unseen(const GrowingData& data, const Growth& growth, const MatrixView& unseen);

}  // namespace kore
