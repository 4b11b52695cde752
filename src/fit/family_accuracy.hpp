#pragma once

#include "fit/held_out.hpp"

namespace kore {

/// Whether the mean of the target is another function of the predictor than itself.
bool has_link(const Response& response);

/// How well the distributions fit that a response expects around these predictions, which are means.
FamilyAccuracy family_accuracy(const HeldOut& rows, const Response& response);

/// The share of pairs of a yes and a no in which the yes has the higher prediction; ties count half. NaN
/// where all rows are alike.
double area_under_roc(const HeldOut& rows);

}  // namespace kore
