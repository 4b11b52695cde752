#pragma once

#include <functional>

#include "grow/stage.hpp"

namespace kore {

// A response with a link has a loss that is no square. Its fit minimises
//
//     sum_i count_i L(y_i, eta_i) + penalties,
//
// by Newton's method: least squares on working rows, which have the slope and the (expected) curvature of the
// loss at the present predictors, again and again until the loss settles. Penalty weights are solved for in
// every step, by the restricted likelihood of the working rows.

/// How far a fit is iterated.
struct Iteration {
  int steps = 12;  ///< The most, before the last one.
  /// Of the sum of losses, in units of the dispersion: chance alone changes it by about one for each
  /// parameter.
  double tolerance = 0.5;
  bool must_settle = false;  ///< Whether the result tells where it did not.

  /// Enough to compare stages that start from the predictors of a simpler one.
  static Iteration short_one() { return {2, 0.5, false}; }
  /// To the digits that a model needs.
  static Iteration precise() { return {60, 1e-9, true}; }
};

/// One step at the predictors of the data. `before` is the result of the step before; null in the first.
using FitStep = std::function<Stage(const GrowingData& data, const Stage* before)>;

/// Repeats a step from the predictors of the data on. A step that goes too far is halved. Only the last step
/// has left-out losses. Where the response fits in one step, that is the fit.
Stage iterate(const GrowingData& data, const Iteration& iteration, const FitStep& step);

}  // namespace kore
