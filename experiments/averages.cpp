#include "experiments/averages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kore::experiments {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return nan;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation(std::span<const double> values) {
  if (values.size() < 2) return nan;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> values, double share) {
  if (values.empty()) return nan;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double geometric_mean(std::span<const double> values) { return std::exp(mean(logarithms(values))); }

double exponent(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> log_x = logarithms(x);
  const std::vector<double> log_y = logarithms(y);
  const double mean_x = mean(log_x);
  const double mean_y = mean(log_y);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < log_x.size(); ++i) {
    products += (log_x[i] - mean_x) * (log_y[i] - mean_y);
    squares += (log_x[i] - mean_x) * (log_x[i] - mean_x);
  }
  return products / squares;
}

}  // namespace kore::experiments
