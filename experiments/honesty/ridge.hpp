#pragma once

#include <span>
#include <vector>

#include "kore/rows.hpp"

namespace kore::experiments::honesty {

/// Straight lines in all features, shrunk: what any other method should beat.
struct Ridge {
  double penalty = 0;  ///< Of standardised features.
  double intercept = 0;
  std::vector<double> slopes;              ///< In the units of the features.
  std::vector<double> left_out_residuals;  ///< Target minus the prediction of the fit to all other rows.

  std::vector<double> predict(const MatrixView& x) const;
};

/// Thirty penalties from 10^-3 to 10^4, evenly spaced in their logarithm.
std::vector<double> usual_penalties();

/// Features are standardised by the rows given (a constant one is only centred), the intercept is not
/// shrunk, and the penalty is the one with the smallest leave-one-out error for this standardisation.
Ridge fit_ridge(const MatrixView& x, std::span<const double> y, std::span<const double> penalties);

}  // namespace kore::experiments::honesty
