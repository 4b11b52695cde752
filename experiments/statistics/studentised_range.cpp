#include "experiments/statistics/studentised_range.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "kore/error.hpp"

namespace kore::experiments {
namespace {

using boost::math::double_constants::one_div_root_two_pi;
using boost::math::double_constants::root_two;

double density(double z) { return one_div_root_two_pi * std::exp(-z * z / 2); }

/// P(low < Z <= high), from the tail where the difference of two probabilities near one would lose digits.
double between(double low, double high) {
  return low > 0 ? (std::erfc(low / root_two) - std::erfc(high / root_two)) / 2
                 : (std::erfc(-high / root_two) - std::erfc(-low / root_two)) / 2;
}

}  // namespace

double studentised_range_probability(double q, std::size_t groups) {
  if (q <= 0) return 0;
  // The largest is at z, all others within q below it: k times the integral of phi(z) P(z-q < Z <= z)^(k-1).
  // The integrand is smooth and vanishes with all its derivatives at both ends, where the trapezoidal rule
  // is exact to rounding.
  constexpr double step = 1.0 / 64;
  constexpr int half = 640;  // |z| <= 10, beyond which phi is below 1e-22
  const auto others = static_cast<double>(groups - 1);
  double sum = 0;
  for (int i = -half; i <= half; ++i) {
    const double z = step * i;
    sum += density(z) * std::pow(between(z - q, z), others);
  }
  return std::min(1.0, static_cast<double>(groups) * step * sum);
}

double studentised_range_quantile(double probability, std::size_t groups) {
  if (groups < 2 || !(probability > 0 && probability < 1))
    throw Error(ErrorCode::invalid_argument,
                "The studentised range needs at least two groups and a probability between 0 and 1.");
  double high = 1;
  while (studentised_range_probability(high, groups) < probability && high < 64) high *= 2;
  std::uintmax_t steps = 200;
  const auto [below, above] = boost::math::tools::toms748_solve(
      [&](double q) { return studentised_range_probability(q, groups) - probability; }, 0.0, high,
      boost::math::tools::eps_tolerance<double>(50), steps);
  return (below + above) / 2;
}

CriticalDifference nemenyi(std::size_t methods, std::size_t datasets, double alpha) {
  const auto k = static_cast<double>(methods);
  const double q = studentised_range_quantile(1 - alpha, methods);
  const double published = q * std::sqrt(k * (k + 1) / (6 * static_cast<double>(datasets)));
  return {published, published / root_two};
}

}  // namespace kore::experiments
