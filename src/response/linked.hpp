#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "response/left_out.hpp"

namespace kore {

/// One row of a response with a link, at a linear predictor: `weight` is half the expected curvature of the
/// loss, and `residual` the working target less the predictor, so that `weight * residual` is minus half its
/// slope.
struct WorkingStep {
  double weight = 0;
  double residual = 0;
};

/// A response whose mean is a smooth function of the linear predictor. `Family` has `name`,
/// `known_dispersion`, `parameter`, `mean`, `link`, `limits`, `deviance(y, eta)` and `step(y, eta)`.
///
/// Leaving a row out is one Newton step away from it: the fit to the working rows without row `i` predicts
/// `eta - (z - eta) h / (1 - h)`, where `z` is its working target and `h` the leverage of its working row.
template <class Family>
class LinkedResponse final : public Response {
 public:
  explicit LinkedResponse(Family family = {}) : family_(family) {}

  std::string_view name() const override { return Family::name; }
  double parameter() const override { return family_.parameter(); }
  std::optional<double> known_dispersion() const override { return family_.known_dispersion(); }
  bool fits_in_one_step() const override { return false; }
  double mean(double predictor) const override { return family_.mean(predictor); }
  double link(double mean) const override { return family_.link(mean); }
  PredictorLimits limits(const SeenTargets& seen) const override { return family_.limits(seen); }
  double loss(double target, double predictor) const override { return family_.deviance(target, predictor); }

  WorkingRows working_rows(std::span<const double> target, const RowCounts& counts,
                           std::span<const double> predictor, WorkingMemory& memory) const override {
    memory.target.resize(target.size());
    memory.weights.resize(target.size());
    for (std::size_t r = 0; r < target.size(); ++r) {
      const WorkingStep step = counts[r] == 0 ? WorkingStep{} : family_.step(target[r], predictor[r]);
      memory.weights[r] = counts[r] * step.weight;
      memory.target[r] = predictor[r] + step.residual;
    }
    return {memory.target, WorkingWeights(memory.weights)};
  }

  LossSums left_out(const FittedRows& rows, const ConstantModel& constant,
                    const LeftOutRows& results) const override {
    LossSums sums;
    for (std::size_t r = 0; r < rows.target.size(); ++r) {
      const double count = rows.counts[r];
      results.residuals[r] = results.losses[r] = results.gains[r] = 0;
      if (count == 0) continue;
      const double y = rows.target[r];
      const double eta = rows.predictor[r];
      const double residual = family_.step(y, eta).residual;
      results.residuals[r] = left_out_residual(residual, rows.leverage[r]);
      results.losses[r] = family_.deviance(y, eta + residual - results.residuals[r]);
      const double of_constant = family_.step(y, constant.predictor).residual;
      const double by_constant = family_.deviance(
          y, constant.predictor + of_constant - left_out_residual(of_constant, count / constant.count_sum));
      results.gains[r] = (by_constant - results.losses[r]) / constant.loss_unit;
      sums.left_out_loss += count * results.losses[r];
      sums.loss += count * family_.deviance(y, eta);
    }
    return sums;
  }

 private:
  Family family_;
};

/// Beyond this predictor a mean cannot be told from its limit, and exponentials stay in range.
inline constexpr double largest_predictor = 30;
inline double bounded(double predictor) {
  return std::clamp(predictor, -largest_predictor, largest_predictor);
}

/// `y log(y / mean)`, which is zero where `y` is.
inline double y_log_ratio(double y, double mean) { return y > 0 ? y * std::log(y / mean) : 0.0; }

/// Limits of a logarithmic link: means up to half the range above the largest target, and down to what a mean
/// of half an event in all rows would be.
inline PredictorLimits log_limits(const SeenTargets& seen, double smallest_mean) {
  const double most = seen.highest + 0.5 * (seen.highest - seen.lowest);
  return {std::log(std::max(smallest_mean, std::numeric_limits<double>::min())), std::log(most)};
}

}  // namespace kore
