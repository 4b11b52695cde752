#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

/// The law: how the error of a fit without penalties depends on its resolution `G`, with `n` rows, `p(G)`
/// columns and smoothness `beta`. Two unknown constants, `A` and `tau`, follow from the leave-one-out errors
/// of two pilots, which the law takes to be
///
///     LOO(G) = A G^(-2 beta) + tau n / (n - p(G)):
///
/// squared bias, and noise of variance `tau` enlarged by the error of estimating `p(G)` coefficients. Each
/// pilot gives one such equation, linear in `A` and `tau`. With both constants known, the best resolution
/// minimises the excess risk `A G^(-2 beta) + tau p(G) / n`, the expected squared error above the noise.
namespace kore {

/// Terms whose coordinates have a largest useful resolution, because their features have few distinct values.
struct LimitedTerms {
  std::size_t count = 1;
  std::vector<int> finest;  ///< The largest resolution of each spline coordinate.
  /// Of each coordinate that is cyclic its smallest resolution, of the others 0. Empty: none is cyclic.
  std::vector<int> coarsest_cyclic = {};

  /// Columns of a coordinate of degree `k` at a resolution, and by how much they grow with it: from below at
  /// its largest resolution, and from above at its smallest.
  double columns(std::size_t coordinate, int degree, double resolution) const;
  double slope(std::size_t coordinate, double resolution) const;
};

/// The size of a structured spline space as a function of its resolution (paper, eq. 6):
/// `p_r(G) = 1 + sum_t s_t m(G)^t` with `m(G) = G + k - 1`, for real `G` as well. A term with linear
/// coordinates or categories counts by its number of spline coordinates, once for every column of its
/// categories; a term without any spline counts in `fixed`.
struct BasisCount {
  int degree = 3;                  ///< Spline degree `k`.
  std::vector<std::size_t> terms;  ///< `terms[t-1]` is `s_t`, the number of terms of order `t`.
  std::size_t fixed = 1;           ///< Columns independent of `G`: the intercept, and terms without a spline.
  /// Further terms, of which each coordinate counts `min(G, finest) + k - 1`; one that is cyclic has `k`
  /// columns fewer, because its last functions are its first ones.
  std::vector<LimitedTerms> limited = {};

  double operator()(double resolution) const;
  /// The derivative by `G`; the one from the left where a coordinate reaches its limit, and the one from the
  /// right where a cyclic coordinate begins to grow.
  double derivative(double resolution) const;
  /// The highest order with a term in it; 0 for a constant.
  int order() const;
  /// Terms of one order, limited or not.
  std::size_t terms_of(int order) const;
  /// The resolution beyond which the size stays the same; infinite where a term has no limit.
  double finest() const;
  /// The smallest resolution from which on the size grows without a pause up to `finest`; 0 where it always
  /// does. Before it are resolutions at which cyclic coordinates have their smallest one and others, if there
  /// are any, their largest.
  double grows_from() const;
};

/// One measured point of the leave-one-out curve.
struct PilotPoint {
  int resolution = 0;
  double p = 0;    ///< Basis size at this resolution.
  double loo = 0;  ///< Exact leave-one-out mean squared error.
};

/// The two unknown constants of the law, in squared units of the target (eq. 25).
struct LawConstants {
  double bias_scale = 0;      ///< `A`; zero where the two pilots have no solution.
  double variance_scale = 0;  ///< `tau`.

  /// Whether the law has an optimum: both constants positive and finite.
  bool usable() const {
    return bias_scale > 0 && variance_scale > 0 && std::isfinite(bias_scale) && std::isfinite(variance_scale);
  }
};

/// Solves the leverage-calibrated two-pilot system (paper, eqs. 24-29) with `n` rows and smoothness `beta`.
/// The constants may be negative, and both are zero where the determinant is zero or a LOO is not finite; see
/// `usable()`.
LawConstants solve_pilots(const PilotPoint& a, const PilotPoint& b, double n, double beta);

/// 2-norm condition number of the pilot matrix (eq. 27); infinite where it is singular.
double pilot_condition_number(const PilotPoint& a, const PilotPoint& b, double n, double beta);

/// The excess risk `A G^(-2 beta) + tau p(G)/n` (eq. 26).
double excess_risk(const LawConstants& law, const BasisCount& size, double n, double beta, double resolution);

/// The resolution in `[lowest, highest]` that minimises the excess risk (eq. 17): the root of its derivative,
/// or an end of the interval. At most `size.finest()`, beyond which fits do not differ. Throws unless
/// `law.usable()` and `0 < lowest <= highest`.
double optimal_resolution(const LawConstants& law, const BasisCount& size, double n, double beta,
                          double lowest, double highest);

/// Sampling variances of the LOO of two pilots, and their covariance: both are measured on the same rows.
struct PilotNoise {
  double variance_a = 0;
  double variance_b = 0;
  double covariance = 0;
};
struct ResolutionInterval {
  double low = 0;
  double high = 0;
};
/// A 95 % confidence interval of the optimum (delta method on its logarithm), cut to `[lowest, highest]`. It
/// is all of that range where the pilots give no usable law.
ResolutionInterval optimal_interval(const PilotPoint& a, const PilotPoint& b, const PilotNoise& noise,
                                    const BasisCount& size, double n, double beta, double lowest,
                                    double highest);

/// The closed form that keeps only the highest order of the variance (eq. 31). Needs `law.usable()` and at
/// least one term.
double dominant_resolution(const LawConstants& law, const BasisCount& size, double n, double beta);

/// Rows per active component of the highest order, `rho = n / s_r`; `n` itself for a constant.
double effective_density(double n, const BasisCount& size);

/// What the law expects of `factor` times the rows, at the resolution (from 1 upwards) that is best for so
/// many. Needs `law.usable()`, at least one term and a positive factor.
struct DataForecast {
  double factor = 1;
  double resolution = 0;
  double excess = 0;  ///< Expected squared error above the noise floor.
};
DataForecast forecast(const LawConstants& law, const BasisCount& size, double n, double beta, double factor);

}  // namespace kore
