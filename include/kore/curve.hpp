#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "kore/law.hpp"

namespace kore {

/// What a selector needs to know about a fit at one resolution.
struct FitScore {
  std::size_t p = 0;        ///< Basis size.
  double loo = 0;           ///< Exact mean left-out loss: the squared error.
  double rss = 0;           ///< Residual sum of squares.
  double max_leverage = 0;  ///< Largest diagonal entry of the hat matrix.
};

/// The function `G -> FitScore` of one family of models. It remembers the scores it has measured and counts
/// the fits, so that a selector may ask for the same score twice. `Measure` does the fits; tests give it a
/// formula instead.
class ResolutionCurve {
 public:
  /// Fits the given distinct resolutions and returns one score for each, in order.
  using Measure = std::function<std::vector<FitScore>(std::span<const int>)>;

  ResolutionCurve(BasisCount size, double n, Measure measure);

  /// The score at `resolution`, fitted if it has not been.
  const FitScore& at(int resolution);
  double loo(int resolution) { return at(resolution).loo; }
  /// Fits those of `resolutions` that are missing, together, so that they can share a pass over the data.
  void prepare(std::span<const int> resolutions);

  int fits() const { return static_cast<int>(points_.size()); }
  const std::map<int, FitScore>& points() const { return points_; }
  const BasisCount& size() const { return size_; }
  double weight_sum() const { return weight_sum_; }
  /// The paper's stability rule: `p(G) < stability * n`, strictly.
  bool stable(int resolution, double stability) const;

 private:
  BasisCount size_;
  double weight_sum_;
  Measure measure_;
  std::map<int, FitScore> points_;
};

}  // namespace kore
