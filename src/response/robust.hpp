#pragma once

#include <string_view>

#include "kore/response.hpp"

namespace kore {

/// How much a row counts whose error is `error` noise deviations: fully up to 2.5, then less and less, and
/// not at all from 5 on. On clean normal noise a fit with these weights has 0.998 of the efficiency of least
/// squares, and the mean weight is 0.999: rows that noise explains count as they did.
double robust_weight(double error);

/// The loss with these weights, `2 \int_0^|error| v robust_weight(v) dv`: the square up to 2.5, and level
/// from 5 on.
double robust_loss(double error);

/// `y = eta + noise`, where some targets may be wrong by any amount. The loss of a row is `scale^2
/// robust_loss(residual / scale)`; its working weight is its count times `robust_weight(residual / scale)`.
class RobustResponse final : public Response {
 public:
  /// `scale` is the deviation of the noise, and positive.
  explicit RobustResponse(double scale) : scale_(scale) {}

  std::string_view name() const override { return "robust"; }
  double parameter() const override { return scale_; }
  std::optional<double> known_dispersion() const override { return std::nullopt; }
  bool fits_in_one_step() const override { return false; }
  double scale() const { return scale_; }

  double loss(double target, double predictor) const override;
  WorkingRows working_rows(std::span<const double> target, const RowCounts& counts,
                           std::span<const double> predictor, WorkingMemory& memory) const override;
  LossSums left_out(const FittedRows& rows, const ConstantModel& constant,
                    const LeftOutRows& results) const override;

 private:
  double scale_;
};

}  // namespace kore
