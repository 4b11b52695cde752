// Responses of a logarithmic link: effects multiply the mean.
#include "response/log_link.hpp"

#include "response/linked.hpp"

namespace kore {
namespace {

double exponential(double eta) { return std::exp(bounded(eta)); }

double logarithm(double mean) { return std::log(std::max(mean, std::numeric_limits<double>::min())); }

/// The mean of all rows if they had half an event together.
double half_an_event(const SeenTargets& seen, double events_per_unit) {
  return 0.5 / (events_per_unit * std::max(seen.count_sum, 1.0));
}

struct Poisson {
  static constexpr std::string_view name = "poisson";
  double dispersion = 1;

  double parameter() const { return dispersion; }
  std::optional<double> known_dispersion() const { return dispersion; }
  static double mean(double eta) { return exponential(eta); }
  static double link(double mean) { return logarithm(mean); }
  PredictorLimits limits(const SeenTargets& seen) const {
    return log_limits(seen, half_an_event(seen, 1 / dispersion));
  }
  static double deviance(double y, double eta) {
    const double mu = exponential(eta);
    return 2 * std::max(y_log_ratio(y, mu) - (y - mu), 0.0);
  }
  static WorkingStep step(double y, double eta) {
    const double mu = exponential(eta);
    return {mu, (y - mu) / mu};
  }
};

struct Gamma {
  static constexpr std::string_view name = "gamma";

  static double parameter() { return 0; }
  static std::optional<double> known_dispersion() { return std::nullopt; }
  static double mean(double eta) { return exponential(eta); }
  static double link(double mean) { return logarithm(mean); }
  static PredictorLimits limits(const SeenTargets& seen) { return log_limits(seen, 0.5 * seen.lowest); }
  static double deviance(double y, double eta) {
    const double ratio = y / exponential(eta);
    return 2 * std::max(ratio - 1 - std::log(ratio), 0.0);
  }
  static WorkingStep step(double y, double eta) { return {1, y / exponential(eta) - 1}; }
};

struct NegativeBinomial {
  static constexpr std::string_view name = "negative_binomial";
  double theta = 1;

  double parameter() const { return theta; }
  static std::optional<double> known_dispersion() { return 1; }
  static double mean(double eta) { return exponential(eta); }
  static double link(double mean) { return logarithm(mean); }
  static PredictorLimits limits(const SeenTargets& seen) { return log_limits(seen, half_an_event(seen, 1)); }
  double deviance(double y, double eta) const {
    const double mu = exponential(eta);
    return 2 * std::max(y_log_ratio(y, mu) - (y + theta) * std::log((y + theta) / (mu + theta)), 0.0);
  }
  WorkingStep step(double y, double eta) const {
    const double mu = exponential(eta);
    return {mu / (1 + mu / theta), (y - mu) / mu};
  }
};

}  // namespace

const Response& poisson_response() {
  static const LinkedResponse<Poisson> response;
  return response;
}

const Response& gamma_response() {
  static const LinkedResponse<Gamma> response;
  return response;
}

std::shared_ptr<const Response> poisson_with_dispersion(double dispersion) {
  return std::make_shared<LinkedResponse<Poisson>>(Poisson{dispersion});
}

std::shared_ptr<const Response> negative_binomial_with(double theta) {
  return std::make_shared<LinkedResponse<NegativeBinomial>>(NegativeBinomial{theta});
}

}  // namespace kore
