#include "response/linked.hpp"

namespace kore {
namespace {

struct Binomial {
  static constexpr std::string_view name = "binomial";

  static double parameter() { return 0; }
  static std::optional<double> known_dispersion() { return 1; }
  static double mean(double eta) { return 1 / (1 + std::exp(-bounded(eta))); }
  static double link(double mean) {
    constexpr double smallest = 1e-12;
    const double inside = std::clamp(mean, smallest, 1 - smallest);
    return std::log(inside / (1 - inside));
  }

  /// A probability of half an event in all rows, and of all but half an event.
  static PredictorLimits limits(const SeenTargets& seen) {
    const double reach = std::log(2 * seen.count_sum + 1);
    return {-reach, reach};
  }

  static double deviance(double y, double eta) {
    // log(1 + exp(eta)) - y eta, without overflow; and what a share loses even where the mean is the share.
    const double log_sum = std::max(eta, 0.0) + std::log1p(std::exp(-std::abs(eta)));
    const double entropy = y > 0 && y < 1 ? y * std::log(y) + (1 - y) * std::log1p(-y) : 0.0;
    return 2 * std::max(log_sum - y * eta + entropy, 0.0);
  }

  static WorkingStep step(double y, double eta) {
    constexpr double least_weight = 1e-8;  // of a row that is sure; its slope is kept
    const double probability = mean(eta);
    const double weight = std::max(probability * (1 - probability), least_weight);
    return {weight, (y - probability) / weight};
  }
};

}  // namespace

const Response& binomial_response() {
  static const LinkedResponse<Binomial> response;
  return response;
}

}  // namespace kore
