#pragma once

#include <span>
#include <vector>

#include "experiments/honesty/ridge.hpp"
#include "experiments/honesty/stated.hpp"
#include "experiments/real_data/sets.hpp"

namespace kore::experiments::honesty {

inline constexpr double interval_level = 0.9;

/// Predictions and intervals held against rows that the fit has not seen.
struct Truth {
  double rmse = 0;
  double covered = 0;         ///< Share of all rows inside their intervals.
  double covered_bottom = 0;  ///< Of the tenth with the smallest predictions.
  double covered_top = 0;     ///< Of the tenth with the largest.
};
Truth truth_of(const std::vector<double>& predicted, std::span<const Interval> intervals,
               const std::vector<double>& target);

/// What one fit says of itself, and what is true of it.
struct Outcome {
  Stated stated;
  Truth truth;
  double seconds = 0;
  std::vector<double> predicted;  ///< The fresh rows.

  double true_over_stated() const { return truth.rmse / stated.rmse; }
};
/// The default fit, on one thread.
Outcome measure(const StudyRows& train, const StudyRows& fresh, const RowCounts& weights = {});

/// The same for ridge regression, which states its leave-one-out error and has intervals from its left-out
/// residuals.
Outcome measure_ridge(const StudyRows& train, const StudyRows& fresh);

}  // namespace kore::experiments::honesty
