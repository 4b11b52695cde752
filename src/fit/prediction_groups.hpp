#pragma once

#include <vector>

#include "fit/held_out.hpp"

namespace kore {

/// What the intervals of left-out rows are checked by. `scaled` has the rows on the scale of the fit, in the
/// same order; empty where that is the identity.
struct CheckedRows {
  const HeldOut& rows;
  const HeldOut& scaled;
  bool rates = false;  ///< Counts over exposures: how far they vary depends on the exposure.
};

/// The rows by rising prediction, in ten groups where there are enough, and fewer otherwise. Where `model`
/// keeps the distribution of errors, each fifth of the rows is checked by intervals that the errors of the
/// other four give; intervals of counts are those of their distribution.
std::vector<PredictionGroup> prediction_groups(const CheckedRows& checked, const Model& model);

/// What intervals are made of, and whether they hold. `by_errors`: of the errors of these rows. Intervals of
/// counts are those of their distribution, and yes or no has none.
void record_intervals(const CheckedRows& checked, bool by_errors, Model& model);

}  // namespace kore
