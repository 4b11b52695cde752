#pragma once

#include <algorithm>
#include <limits>

#include "kore/response.hpp"

namespace kore::test {

/// Squared error at half the scale: `L = (y - 2 eta)^2`. A fit with it is the fit of the normal response with
/// coefficients half as large, and its losses are the same, but its working rows are other than its rows: the
/// working target is `y / 2` and the working weight 4 times the count.
class ScaledResponse final : public Response {
 public:
  std::string_view name() const override { return "scaled"; }
  std::optional<double> known_dispersion() const override { return std::nullopt; }
  bool fits_in_one_step() const override { return true; }
  double loss(double target, double predictor) const override {
    return (target - 2 * predictor) * (target - 2 * predictor);
  }
  WorkingRows working_rows(std::span<const double> target, const RowCounts& counts,
                           std::span<const double> /*predictor*/, WorkingMemory& memory) const override {
    memory.target.assign(target.begin(), target.end());
    memory.weights.resize(target.size());
    for (std::size_t r = 0; r < target.size(); ++r) {
      memory.target[r] /= 2;
      memory.weights[r] = 4 * counts[r];
    }
    return {memory.target, WorkingWeights(memory.weights)};
  }
  LossSums left_out(const FittedRows& rows, const ConstantModel& constant,
                    const LeftOutRows& results) const override {
    LossSums sums;
    for (std::size_t r = 0; r < rows.target.size(); ++r) {
      const double count = rows.counts[r];
      const double working = rows.target[r] / 2;
      const double left_out = working - left_out_predictor(working, rows.predictor[r], rows.leverage[r]);
      const double of_constant =
          loss(rows.target[r], left_out_predictor(working, constant.predictor, count / constant.count_sum));
      results.residuals[r] = left_out;
      results.losses[r] = count == 0 ? 0 : 4 * left_out * left_out;
      results.gains[r] = count == 0 ? 0 : (of_constant - results.losses[r]) / constant.loss_unit;
      sums.left_out_loss += count * results.losses[r];
      if (count > 0) sums.loss += count * loss(rows.target[r], rows.predictor[r]);
    }
    return sums;
  }

 private:
  /// One Newton step away from the row.
  static double left_out_predictor(double working, double predictor, double leverage) {
    const double rest = std::max(1 - leverage, std::numeric_limits<double>::epsilon());
    return predictor - (working - predictor) * leverage / rest;
  }
};

/// A response whose working rows depend on the predictor, such as one with a logarithmic link.
class IteratedResponse final : public Response {
 public:
  std::string_view name() const override { return "iterated"; }
  std::optional<double> known_dispersion() const override { return 1; }
  bool fits_in_one_step() const override { return false; }
  double loss(double, double) const override { return 0; }
  WorkingRows working_rows(std::span<const double> target, const RowCounts&, std::span<const double>,
                           WorkingMemory&) const override {
    return {target, {}};
  }
  LossSums left_out(const FittedRows&, const ConstantModel&, const LeftOutRows&) const override { return {}; }
};

}  // namespace kore::test
