#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kore/rows.hpp"

namespace kore {

/// The weight of each row in one least-squares step: its count times half the second derivative of its loss
/// at the present linear predictor (one for squared error, the mean for a Poisson deviance). Not to be
/// mistaken for RowCounts, which say how many rows there are: sums of squares are weighted by these, but `n`
/// and means over rows go by counts.
class WorkingWeights {
 public:
  WorkingWeights() = default;  ///< Every row weighs one.
  explicit WorkingWeights(std::span<const double> weights) : weights_(weights) {}

  double operator[](std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }
  /// The numbers from row `first` on, as kernels read them; null where every row weighs one.
  const double* from(std::size_t first) const { return weights_.empty() ? nullptr : weights_.data() + first; }

 private:
  std::span<const double> weights_;
};

/// The least-squares problem that stands in for some rows of a response: `sum_i weights_i (target_i -
/// predictor_i)^2` has the slope and the curvature of the loss at the present predictor.
struct WorkingRows {
  std::span<const double> target;
  WorkingWeights weights;
};

/// Room for working rows of a response that has to compute them.
struct WorkingMemory {
  std::vector<double> target;
  std::vector<double> weights;
};

/// Rows on their way into the sums of a least-squares step.
struct WorkingBlock {
  MatrixView x;
  std::span<const double> target;
  WorkingWeights weights;
  RowCounts counts;

  std::size_t rows() const { return x.rows(); }
};

}  // namespace kore
