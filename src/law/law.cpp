#include "kore/law.hpp"

#include "kore/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/tools/roots.hpp>

namespace kore {
namespace {

/// The published run's guards against a singular system: the shift keeps the determinant from being exactly
/// zero, and a determinant below the floor counts as zero. Both are relative to the bias of the coarser
/// pilot. In the published run that bias is one; between fine pilots it is far smaller than an absolute
/// guard.
constexpr double determinant_shift = 1e-12;
constexpr double determinant_floor = 1e-30;

/// One row `(phi, l)` of the pilot matrix (eq. 24).
struct PilotRow {
  double bias;
  double leverage;
};

PilotRow pilot_row(const PilotPoint& point, double n, double beta) {
  return {std::pow(point.resolution, -2 * beta), n / std::max(n - point.p, 1.0)};
}

void require_usable(const LawConstants& law) {
  if (!law.usable()) {
    throw Error(ErrorCode::invalid_argument, "unusable_law",
                "The law has no optimum unless both of its constants are positive and finite; check usable() "
                "first and fall back to the better pilot.");
  }
}

void require_terms(const BasisCount& size) {
  if (size.order() == 0) {
    throw Error(
        ErrorCode::invalid_argument, "basis_without_terms",
        "The law has no optimum for a basis without terms; give the basis count at least one main effect.");
  }
}

/// The logarithm of bias slope over variance slope (the two sides of eq. 17). It falls strictly in the
/// resolution, except for jumps where coordinates reach their limits, and crosses zero at the optimum. Unlike
/// the difference of the two sides it neither overflows nor underflows.
double slope_balance(const LawConstants& law, const BasisCount& size, double n, double beta,
                     double resolution) {
  return std::log(2 * beta) + std::log(law.bias_scale) - (2 * beta + 1) * std::log(resolution) -
         (std::log(law.variance_scale) - std::log(n) + std::log(size.derivative(resolution)));
}

}  // namespace

double LimitedTerms::columns(std::size_t coordinate, int degree, double resolution) const {
  const double finite = std::min<double>(resolution, finest[coordinate]);
  const int coarsest = coarsest_cyclic.empty() ? 0 : coarsest_cyclic[coordinate];
  return coarsest == 0 ? finite + degree - 1 : std::max<double>(finite, coarsest) - 1;
}

double LimitedTerms::slope(std::size_t coordinate, double resolution) const {
  const int coarsest = coarsest_cyclic.empty() ? 0 : coarsest_cyclic[coordinate];
  return resolution <= finest[coordinate] && (coarsest == 0 || resolution >= coarsest) ? 1 : 0;
}

double BasisCount::operator()(double resolution) const {
  const double m = resolution + degree - 1;
  double terms_total = 0;
  for (std::size_t t = terms.size(); t-- > 0;) {
    terms_total = (terms_total + static_cast<double>(terms[t])) * m;
  }
  for (const LimitedTerms& some : limited) {
    auto columns = static_cast<double>(some.count);
    for (std::size_t c = 0; c < some.finest.size(); ++c) columns *= some.columns(c, degree, resolution);
    terms_total += columns;
  }
  return static_cast<double>(fixed) + terms_total;
}

double BasisCount::derivative(double resolution) const {
  const double m = resolution + degree - 1;
  double slope = 0;
  for (std::size_t t = terms.size(); t-- > 0;) {
    slope = slope * m + static_cast<double>(t + 1) * static_cast<double>(terms[t]);
  }
  for (const LimitedTerms& some : limited) {
    // The product rule, factor by factor.
    double columns = 1;
    double own = 0;
    for (std::size_t c = 0; c < some.finest.size(); ++c) {
      const double functions = some.columns(c, degree, resolution);
      own = own * functions + some.slope(c, resolution) * columns;
      columns *= functions;
    }
    slope += static_cast<double>(some.count) * own;
  }
  return slope;
}

int BasisCount::order() const {
  std::size_t highest = terms.size();
  for (const LimitedTerms& some : limited) highest = std::max(highest, some.finest.size());
  for (int order = static_cast<int>(highest); order > 0; --order) {
    if (terms_of(order) > 0) return order;
  }
  return 0;
}

std::size_t BasisCount::terms_of(int order) const {
  const auto wanted = static_cast<std::size_t>(order);
  std::size_t count = wanted >= 1 && wanted <= terms.size() ? terms[wanted - 1] : 0;
  for (const LimitedTerms& some : limited) {
    if (some.finest.size() == wanted) count += some.count;
  }
  return count;
}

double BasisCount::finest() const {
  const bool unlimited = std::ranges::any_of(terms, [](std::size_t count) { return count > 0; });
  if (unlimited || limited.empty()) return std::numeric_limits<double>::infinity();
  int largest = 1;
  for (const LimitedTerms& some : limited) largest = std::max(largest, std::ranges::max(some.finest));
  return largest;
}

double BasisCount::grows_from() const {
  double from = 0;
  for (const LimitedTerms& some : limited)
    for (const int coarsest : some.coarsest_cyclic)
      if (coarsest > 1 && !(derivative(std::nextafter(coarsest, 0.0)) > 0))
        from = std::max<double>(from, coarsest);
  return from;
}

LawConstants solve_pilots(const PilotPoint& a, const PilotPoint& b, double n, double beta) {
  const PilotRow row_a = pilot_row(a, n, beta);
  const PilotRow row_b = pilot_row(b, n, beta);
  const double scale = std::max(row_a.bias, row_b.bias);
  const double determinant =
      row_a.bias * row_b.leverage - row_b.bias * row_a.leverage + determinant_shift * scale;
  if (std::abs(determinant) < determinant_floor * scale) return {};
  const LawConstants law{(a.loo * row_b.leverage - b.loo * row_a.leverage) / determinant,
                         (row_a.bias * b.loo - row_b.bias * a.loo) / determinant};
  // A pilot with a row of leverage one has an infinite LOO and cannot be used for the law.
  const bool finite = std::isfinite(law.bias_scale) && std::isfinite(law.variance_scale);
  return finite ? law : LawConstants{};
}

double pilot_condition_number(const PilotPoint& a, const PilotPoint& b, double n, double beta) {
  const auto [phi_a, l_a] = pilot_row(a, n, beta);
  const auto [phi_b, l_b] = pilot_row(b, n, beta);
  const double determinant = std::abs(phi_a * l_b - phi_b * l_a);
  if (determinant == 0) return std::numeric_limits<double>::infinity();
  // The singular values of a 2x2 matrix are half the sum and half the difference of these two lengths; the
  // smaller one is taken from the determinant, where the difference would cancel.
  const double largest = 0.5 * (std::hypot(phi_a + l_b, l_a - phi_b) + std::hypot(phi_a - l_b, l_a + phi_b));
  return largest / determinant * largest;
}

double excess_risk(const LawConstants& law, const BasisCount& size, double n, double beta,
                   double resolution) {
  return law.bias_scale * std::pow(resolution, -2 * beta) + law.variance_scale * size(resolution) / n;
}

double optimal_resolution(const LawConstants& law, const BasisCount& size, double n, double beta,
                          double lowest, double highest) {
  require_usable(law);
  if (!(lowest > 0 && lowest <= highest)) {
    throw Error(
        ErrorCode::invalid_argument, "bad_resolution_interval",
        "The resolution is sought on an interval that is empty or not positive; give 0 < lowest <= highest.");
  }
  highest = std::min(highest, std::max(lowest, size.finest()));
  // Where the size stays the same, the bias still falls, so that the end of the pause costs least in it.
  lowest = std::min(std::max(lowest, size.grows_from()), highest);
  const auto balance = [&](double resolution) { return slope_balance(law, size, n, beta, resolution); };
  const double at_lowest = balance(lowest);
  if (at_lowest <= 0) return lowest;
  const double at_highest = balance(highest);
  if (at_highest >= 0) return highest;
  const boost::math::tools::eps_tolerance<double> full_accuracy(std::numeric_limits<double>::digits - 2);
  std::uintmax_t evaluations = 200;
  const auto [left, right] = boost::math::tools::toms748_solve(balance, lowest, highest, at_lowest,
                                                               at_highest, full_accuracy, evaluations);
  return left + 0.5 * (right - left);
}

ResolutionInterval optimal_interval(const PilotPoint& a, const PilotPoint& b, const PilotNoise& noise,
                                    const BasisCount& size, double n, double beta, double lowest,
                                    double highest) {
  const auto log_optimum = [&](double step_a, double step_b) {
    const LawConstants law =
        solve_pilots({a.resolution, a.p, a.loo + step_a}, {b.resolution, b.p, b.loo + step_b}, n, beta);
    // Far beyond the ends, so that the derivative at an end is not affected by them.
    return law.usable() ? std::log(optimal_resolution(law, size, n, beta, lowest / 16, highest * 16))
                        : std::numeric_limits<double>::quiet_NaN();
  };
  const double step = 1e-6 * std::min(std::abs(a.loo), std::abs(b.loo));
  const double slope_a = (log_optimum(step, 0) - log_optimum(-step, 0)) / (2 * step);
  const double slope_b = (log_optimum(0, step) - log_optimum(0, -step)) / (2 * step);
  const double variance = slope_a * slope_a * noise.variance_a + slope_b * slope_b * noise.variance_b +
                          2 * slope_a * slope_b * noise.covariance;
  const double centre = log_optimum(0, 0);
  constexpr double quantile = 1.96;
  if (!std::isfinite(variance) || !std::isfinite(centre)) return {lowest, highest};
  const double reach = quantile * std::sqrt(std::max(variance, 0.0));
  return {std::clamp(std::exp(centre - reach), lowest, highest),
          std::clamp(std::exp(centre + reach), lowest, highest)};
}

double dominant_resolution(const LawConstants& law, const BasisCount& size, double n, double beta) {
  require_usable(law);
  require_terms(size);
  const int order = size.order();
  const double ratio = 2 * beta / order * (law.bias_scale / law.variance_scale) * effective_density(n, size);
  return std::pow(ratio, 1 / (2 * beta + order));
}

double effective_density(double n, const BasisCount& size) {
  const int order = size.order();
  return order == 0 ? n : n / static_cast<double>(size.terms_of(order));
}

DataForecast forecast(const LawConstants& law, const BasisCount& size, double n, double beta, double factor) {
  require_usable(law);
  require_terms(size);
  if (!(factor > 0 && std::isfinite(factor))) {
    throw Error(ErrorCode::invalid_argument, "bad_forecast_factor",
                "The factor of a data forecast multiplies the rows; give a positive number.");
  }
  const double rows = factor * n;
  double highest = 2;
  while (highest < size.finest() && slope_balance(law, size, rows, beta, highest) > 0) highest *= 2;
  const double resolution = optimal_resolution(law, size, rows, beta, 1, highest);
  return {factor, resolution, excess_risk(law, size, rows, beta, resolution)};
}

}  // namespace kore
