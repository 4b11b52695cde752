#pragma once

#include <algorithm>
#include <limits>

#include "kore/response.hpp"

namespace kore {

/// The residual of a row without the row, from that with it. A leverage of one to rounding leaves this
/// undetermined; the floor keeps it large and finite.
inline double left_out_residual(double residual, double leverage) {
  return residual / std::max(1 - leverage, std::numeric_limits<double>::epsilon());
}

/// `Response::left_out` where the loss depends on the residual alone: `loss(residual, unit)` is the loss over
/// `unit`.
LossSums left_out_by_residual(const FittedRows& rows, const ConstantModel& constant,
                              const LeftOutRows& results, const auto& loss) {
  LossSums sums;
  for (std::size_t r = 0; r < rows.target.size(); ++r) {
    const double count = rows.counts[r];
    const double residual = rows.target[r] - rows.predictor[r];
    const double left_out = left_out_residual(residual, rows.leverage[r]);
    results.residuals[r] = left_out;
    results.losses[r] = results.gains[r] = 0;
    if (count == 0) continue;
    const double by_constant =
        left_out_residual(rows.target[r] - constant.predictor, count / constant.count_sum);
    results.losses[r] = loss(left_out, 1.0);
    results.gains[r] = loss(by_constant, constant.loss_unit) - loss(left_out, constant.loss_unit);
    sums.left_out_loss += count * loss(left_out, 1.0);
    sums.loss += count * loss(residual, 1.0);
  }
  return sums;
}

}  // namespace kore
