#pragma once

#include <span>
#include <vector>

#include "kore/model.hpp"

namespace kore {

/// Rows with values on the scale of a fit on which their own targets had no influence. All lists have one
/// length.
struct UncarriedRows {
  std::span<const double> target;  ///< In its own units.
  std::span<const double> eta;     ///< What the fit says of `g(target)`.
  std::span<const double> weight;
};

/// What carries these values to means: so that the means of all rows add up to their targets, and those of up
/// to twelve groups of neighbouring values as well, as far as they differ by more than chance. All rows
/// together give the form: on the logarithm a factor, on the square root a variance to add. The shift of each
/// group is drawn towards that form by what is noise of it. `limits` are those of predictions, so that single
/// wild values do not count for more than they may.
MeanShift carried_means(TargetScale scale, const UncarriedRows& rows, const Range& limits);

/// The range that predictions may have where the targets of the rows have this one, widened by half of it on
/// either side, and not negative except on the identity scale.
Range prediction_limits(TargetScale scale, const Range& target);

}  // namespace kore
