#pragma once

#include <vector>

#include "kore/accuracy.hpp"
#include "kore/model.hpp"
#include "kore/response.hpp"

namespace kore {

/// Left-out rows that are collected one by one.
struct HeldOut : HeldOutRows {
  void add(double row_target, double row_prediction, double row_weight);
  std::size_t size() const { return target.size(); }
};

/// Errors of the predictions, which are means of the target. Where the rows come from, and the signal score,
/// are the caller's to fill in.
Accuracy accuracy_of(const HeldOut& rows, const Response& response = normal_response());

/// How many errors stand apart from all others: `Accuracy::gross_errors`.
std::size_t gross_errors_of(const HeldOut& rows);

/// What the robust loss makes of the rows, where the noise has this deviation.
RobustFit robust_fit_of(const HeldOut& rows, double noise_scale, bool settled);

/// How the size of left-out errors changes with the prediction: a line through the absolute errors, then the
/// mean error in up to twelve groups of neighbouring predictions over that line. Both are drawn towards one
/// where there are few rows. A mean of one over the rows.
ResidualSpread spread_of(const HeldOut& rows);

/// Order statistics of the left-out errors over their spread, at evenly spaced ranks.
std::vector<double> error_quantiles(const HeldOut& rows, const ResidualSpread& spread);

}  // namespace kore
