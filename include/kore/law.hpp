#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace kore {

/// Terms of coordinates that grow no finer than their values can tell apart.
struct LimitedTerms {
  std::size_t count = 1;
  std::vector<int> finest;  ///< Resolution of each spline coordinate at which it stays.
};

/// The size of a structured spline space as a function of its resolution (paper, eq. 6):
/// `p_r(G) = 1 + sum_t s_t m(G)^t` with `m(G) = G + k - 1`, for real `G` as well. Terms with linear
/// coordinates or categories count by their number of spline coordinates, once for every level that a
/// category can differ by; those without any spline count in `fixed`.
struct BasisCount {
  int degree = 3;                  ///< Spline degree `k`.
  std::vector<std::size_t> terms;  ///< `terms[t-1]` is `s_t`, the number of terms of order `t`.
  std::size_t fixed = 1;           ///< Columns independent of `G`: the intercept, and terms without a spline.
  /// Beside those in `terms`; each coordinate counts `min(G, finest) + k - 1`.
  std::vector<LimitedTerms> limited = {};

  double operator()(double resolution) const;
  /// From the left, where a coordinate reaches its limit.
  double derivative(double resolution) const;
  /// The highest order with a term in it; 0 for a constant.
  int order() const;
  /// Terms of one order, limited or not.
  std::size_t terms_of(int order) const;
  /// The resolution beyond which nothing grows: infinite where a term has no limit.
  double finest() const;
};

/// One measured point of the leave-one-out curve.
struct PilotPoint {
  int resolution = 0;
  double p = 0;    ///< Basis size at this resolution.
  double loo = 0;  ///< Exact leave-one-out mean squared error.
};

/// The two unknown constants of the law: bias scale and noise/variance scale (eq. 25).
struct LawConstants {
  double bias_scale = 0;      ///< `A`; zero where the pilots do not determine it.
  double variance_scale = 0;  ///< `tau`.

  /// Whether the law has an optimum: both constants positive and finite.
  bool usable() const {
    return bias_scale > 0 && variance_scale > 0 && std::isfinite(bias_scale) && std::isfinite(variance_scale);
  }
};

/// Solves the leverage-calibrated two-pilot system (paper, eqs. 24-29) with `n` rows and smoothness `beta`.
/// The constants may come out negative, and are both zero where the determinant vanishes or a LOO is not
/// finite; `usable()` tells.
LawConstants solve_pilots(const PilotPoint& a, const PilotPoint& b, double n, double beta);

/// 2-norm condition number of the pilot matrix (eq. 27); infinite where it is singular.
double pilot_condition_number(const PilotPoint& a, const PilotPoint& b, double n, double beta);

/// The excess risk `A G^(-2 beta) + tau p(G)/n` (eq. 26).
double excess_risk(const LawConstants& law, const BasisCount& size, double n, double beta, double resolution);

/// The root of the derivative of the excess risk on `[lowest, highest]`, or the end of the interval it lies
/// beyond (eq. 17). Not beyond `size.finest()`, where no fit differs any more. Needs `law.usable()` and `0 <
/// lowest <= highest`, and throws otherwise.
double optimal_resolution(const LawConstants& law, const BasisCount& size, double n, double beta,
                          double lowest, double highest);

/// Sampling variances of two pilots' LOO, which are measured on the same rows and vary together.
struct PilotNoise {
  double variance_a = 0;
  double variance_b = 0;
  double covariance = 0;
};
/// An interval.
struct ResolutionInterval {
  double low = 0;
  double high = 0;
};
/// Where the optimum of the law lies with 95 % confidence (delta method on its logarithm), within `[lowest,
/// highest]`; all of that where the pilots do not determine the law.
ResolutionInterval optimal_interval(const PilotPoint& a, const PilotPoint& b, const PilotNoise& noise,
                                    const BasisCount& size, double n, double beta, double lowest,
                                    double highest);

/// The closed form that keeps only the highest order of the variance (eq. 31). Needs `law.usable()` and at
/// least one term.
double dominant_resolution(const LawConstants& law, const BasisCount& size, double n, double beta);

/// Rows per active component of the highest order, `rho = n / s_r`; `n` itself for a constant.
double effective_density(double n, const BasisCount& size);

/// What the law expects of `factor` times the rows at the resolution that is then best, of all from 1
/// upwards. Needs `law.usable()`, at least one term and a positive factor.
struct DataForecast {
  double factor = 1;
  double resolution = 0;
  double excess = 0;  ///< Expected squared error above the noise floor.
};
DataForecast forecast(const LawConstants& law, const BasisCount& size, double n, double beta, double factor);

}  // namespace kore
