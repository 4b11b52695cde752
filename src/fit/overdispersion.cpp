#include "fit/overdispersion.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "response/log_link.hpp"

namespace kore {
namespace {

constexpr int first_resolution = 8;
constexpr double smallest_theta = 1e-3;
constexpr double largest_theta = 1e7;  // beyond it counts cannot be told from Poisson's

double within_limits(double theta) {
  return std::isfinite(theta) ? std::clamp(theta, smallest_theta, largest_theta) : largest_theta;
}

/// Slope and curvature of the log-likelihood by the logarithm of `theta`.
struct Slope {
  double first = 0;
  double second = 0;
};

Slope slope_at(const RowBlock& rows, std::span<const double> means, double theta) {
  using boost::math::digamma;
  using boost::math::trigamma;
  double by_theta = 0;
  double twice = 0;
  for (std::size_t r = 0; r < means.size(); ++r) {
    if (!(rows.weight(r) > 0)) continue;
    const double y = rows.y[r];
    const double mean = means[r];
    const double sum = theta + mean;
    by_theta += rows.weight(r) *
                (digamma(y + theta) - digamma(theta) + std::log(theta / sum) + 1 - (y + theta) / sum);
    twice += rows.weight(r) *
             (trigamma(y + theta) - trigamma(theta) + 1 / theta - 2 / sum + (y + theta) / (sum * sum));
  }
  return {theta * by_theta, theta * theta * twice + theta * by_theta};
}

}  // namespace

double first_theta(const Survey& data) {
  const double beyond = data.target_variance - data.target_mean;
  return within_limits(data.target_mean * data.target_mean / std::max(beyond, 1e-300));
}

double likely_theta(const RowBlock& rows, std::span<const double> means, double first) {
  constexpr int most_steps = 50;
  constexpr double largest_step = 2;  // of the logarithm
  constexpr double same = 1e-8;
  double theta = within_limits(first);
  for (int step = 0; step < most_steps; ++step) {
    const Slope slope = slope_at(rows, means, theta);
    const double newton = slope.second < 0 ? -slope.first / slope.second : slope.first;
    const double change = std::clamp(newton, -largest_step, largest_step);
    const double next = within_limits(theta * std::exp(change));
    const bool settled = std::abs(std::log(next / theta)) < same;
    theta = next;
    if (settled) break;
  }
  return theta;
}

double variance_ratio(const GrowingData& data, const Stage& fitted) {
  WorkingMemory memory;
  const WorkingRows rows =
      data.response->working_rows(data.rows.y, data.rows.weights, *fitted.predictor, memory);
  double squares = 0;
  for (std::size_t r = 0; r < data.rows.rows(); ++r)
    if (data.rows.weight(r) > 0)
      squares += rows.weights[r] * std::pow(rows.target[r] - (*fitted.predictor)[r], 2);
  const double freedom = std::max(fitted.press.weight_sum - fitted.press.leverage, 1.0);
  return squares / freedom;
}

double overdispersion_of_main_effects(const GrowingData& data) {
  const Stage mains = fit_penalised(data, main_effects(data, first_resolution));
  return std::max(variance_ratio(data, mains) / data.response->parameter(), 1.0);
}

double theta_of(const GrowingData& data, const Stage& fitted) {
  std::vector<double> means;
  for (const double eta : *fitted.predictor) means.push_back(data.response->mean(eta));
  return likely_theta(data.rows, means, data.response->parameter());
}

double theta_of_main_effects(GrowingData data) {
  constexpr int rounds = 6;
  constexpr double same = 0.01;
  double theta = data.response->parameter();
  std::shared_ptr<const Response> response;
  for (int round = 0; round < rounds; ++round) {
    const Stage mains = fit_penalised(data, main_effects(data, first_resolution));
    const double next = theta_of(data, mains);
    const bool settled = std::abs(std::log(next / theta)) < same;
    theta = next;
    if (settled) break;
    response = negative_binomial_with(theta);
    data.response = response.get();
    data.predictor = mains.predictor;
  }
  return theta;
}

}  // namespace kore
