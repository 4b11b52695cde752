#pragma once

namespace kore {

/// Whether the equations behind a fit were solved as they were meant to be.
struct Convergence {
  /// The penalty weights settled before the steps ran out. Where not, they are usable, but more steps would
  /// change the fit. True where there are no weights to solve for.
  bool settled = true;
  int steps = 0;  ///< Steps towards the penalty weights of the model; 0 where it has none.
  /// What the ridge of the fit was raised to, in the units of `FitSummary::ridge`, because columns depend on
  /// each other nearly exactly; 0: it was enough as it was.
  double raised_ridge = 0;
  /// The same for the equations from which the penalty weights were solved for, in units of the mean diagonal
  /// entry. It does not enter the fit itself.
  double raised_weight_ridge = 0;
  /// How many of the other models that competed (FitSummary::stages) have weights that did not settle.
  int unsettled_rivals = 0;
};

}  // namespace kore
