#include "kore/response.hpp"
#include "response/left_out.hpp"

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
    return left_out_by_residual(rows, constant, results,
                                [](double residual, double unit) { return residual * (residual / unit); });
  }
};

}  // namespace

const Response& normal_response() {
  static const NormalResponse response;
  return response;
}

}  // namespace kore
