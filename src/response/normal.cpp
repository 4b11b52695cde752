#include <algorithm>
#include <limits>

#include "kore/response.hpp"

namespace kore {
namespace {

class NormalResponse final : public Response {
 public:
  std::string_view name() const override { return "normal"; }
  std::optional<double> known_dispersion() const override { return std::nullopt; }
  bool fits_in_one_step() const override { return true; }

  double loss(double target, double predictor) const override {
    const double residual = target - predictor;
    return residual * residual;
  }

  WorkingRows working_rows(std::span<const double> target, const RowCounts& counts,
                           std::span<const double> /*predictor*/, WorkingMemory& /*memory*/) const override {
    return {target, WorkingWeights(counts.values())};
  }

  LossSums left_out(const FittedRows& rows, const ConstantModel& constant,
                    const LeftOutRows& results) const override {
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
      results.losses[r] = left_out * left_out;
      results.gains[r] =
          by_constant * (by_constant / constant.loss_unit) - left_out * (left_out / constant.loss_unit);
      sums.left_out_loss += count * left_out * left_out;
      sums.loss += count * residual * residual;
    }
    return sums;
  }

 private:
  /// A leverage of one to rounding leaves this undetermined; the floor keeps it large and finite.
  static double left_out_residual(double residual, double leverage) {
    return residual / std::max(1 - leverage, std::numeric_limits<double>::epsilon());
  }
};

}  // namespace

const Response& normal_response() {
  static const NormalResponse response;
  return response;
}

}  // namespace kore
