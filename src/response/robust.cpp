#include "response/robust.hpp"

#include <cmath>

#include "response/left_out.hpp"

namespace kore {
namespace {

constexpr double full = 2.5;  // noise deviations up to which a row counts fully
constexpr double none = 5;    // and from which on it does not count

}  // namespace

double robust_weight(double error) {
  const double distance = std::abs(error);
  if (distance <= full) return 1;
  if (!(distance < none)) return 0;
  const double t = (distance - full) / (none - full);
  return (1 - t * t) * (1 - t * t);
}

double robust_loss(double error) {
  const double distance = std::abs(error);
  if (distance <= full) return distance * distance;
  const double width = none - full;
  const double t = std::min((distance - full) / width, 1.0);
  const double t2 = t * t;
  return full * full + 2 * width * full * t * (1 - 2 * t2 / 3 + t2 * t2 / 5) +
         width * width * t2 * (1 - t2 + t2 * t2 / 3);
}

double RobustResponse::loss(double target, double predictor) const {
  return scale_ * scale_ * robust_loss((target - predictor) / scale_);
}

WorkingRows RobustResponse::working_rows(std::span<const double> target, const RowCounts& counts,
                                         std::span<const double> predictor, WorkingMemory& memory) const {
  memory.weights.resize(target.size());
  for (std::size_t r = 0; r < target.size(); ++r)
    memory.weights[r] = counts[r] == 0 ? 0.0 : counts[r] * robust_weight((target[r] - predictor[r]) / scale_);
  return {target, WorkingWeights(memory.weights)};
}

LossSums RobustResponse::left_out(const FittedRows& rows, const ConstantModel& constant,
                                  const LeftOutRows& results) const {
  return left_out_by_residual(rows, constant, results, [&](double residual, double unit) {
    return scale_ * (scale_ / unit) * robust_loss(residual / scale_);
  });
}

}  // namespace kore
