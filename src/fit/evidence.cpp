#include "fit/evidence.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <numeric>
#include <span>

#include "base/parallel.hpp"
#include "kore/solve.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

using Vector = std::vector<double>;

/// A term in the loose fit.
struct TermInRows {
  std::size_t columns = 0;
  std::span<const double> solution;
  const Vector& inverse;
  Vector penalty;  // empty: none
  Vector gram;     // about the means
};

TermInRows term_of(const FitInRows& fit, const LooseFit& loose, std::size_t t) {
  const Design& design = fit.smoother.design();
  const NormalEquations& equations = fit.equations;
  const std::size_t p = design.columns();
  const std::size_t m = design.term_columns(t);
  const std::size_t first = design.offset(t);
  TermInRows term{
      m, std::span(loose.smoother->solution()).subspan(first, m), loose.inverse[t], {}, Vector(m * m)};
  if (fit.penalised) term.penalty = loose.penalties[t].matrix;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < m; ++i)
      term.gram[j * m + i] = equations.matrix[(first + std::min(i, j)) * p + first + std::max(i, j)] -
                             equations.matrix[first + i] * equations.matrix[first + j] / equations.weight_sum;
  return term;
}

Vector times(const Vector& matrix, std::span<const double> x) {
  Vector result(x.size());
  product(matrix.data(), x.size(), x.size(), x.data(), 1, x.size(), x.size(), result.data(), x.size());
  return result;
}

/// With `V = L L'` and `L'G L = U D U'`, the leading directions of the values' covariance have the variances
/// `D`, and the squared estimates along them are those of `U'L'G c`, over `D`.
double wald_statistic(const TermInRows& term, const Cholesky& inverse, std::size_t rank) {
  const std::size_t m = term.columns;
  Vector root(m * m);  // L, with zeros above
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i) root[j * m + i] = inverse.factor()[j * m + i];
  Vector with_root(m * m);
  product(term.gram.data(), m, m, root.data(), m, m, m, with_root.data(), m);
  Vector directions(m * m);
  inner_product(root.data(), m, m, with_root.data(), m, m, m, directions.data(), m);
  Vector estimate(m);
  inner_product(with_root.data(), m, m, term.solution.data(), 1, m, m, estimate.data(), m);
  const Vector variances = eigen_lower(directions.data(), m, m);
  double statistic = 0;
  for (std::size_t i = m - rank; i < m; ++i) {
    const double along = std::inner_product(estimate.begin(), estimate.end(),
                                            directions.begin() + static_cast<std::ptrdiff_t>(i * m), 0.0);
    statistic += variances[i] > 0 ? std::pow(along / variances[i], 2) : 0.0;
  }
  return statistic;
}

double p_value_of(const TermInRows& term, const Cholesky& inverse, double noise_variance, double freedom) {
  double parameters = static_cast<double>(term.columns);
  if (!term.penalty.empty()) parameters -= trace_of_product(term.inverse, term.penalty);
  const double rank = std::clamp(std::round(parameters), 1.0, static_cast<double>(term.columns));
  const double ratio =
      wald_statistic(term, inverse, static_cast<std::size_t>(rank)) / (rank * noise_variance);
  if (!std::isfinite(ratio)) return Effect::unknown;
  return boost::math::cdf(boost::math::complement(boost::math::fisher_f(rank, freedom), ratio));
}

double concurvity_of(const TermInRows& term, const Cholesky& inverse) {
  const auto square = [&](const Vector& product) {
    return std::inner_product(product.begin(), product.end(), term.solution.begin(), 0.0);
  };
  double left = square(inverse.solve(term.solution));
  if (!term.penalty.empty()) left -= square(times(term.penalty, term.solution));
  const double all = square(times(term.gram, term.solution));
  return all > 0 ? std::clamp(1 - left / all, 0.0, 1.0) : Effect::unknown;
}

}  // namespace

void add_evidence(const FitInRows& fit, const LooseFit& loose, std::vector<Effect>& effects) {
  const Design& design = fit.smoother.design();
  double used = 1;
  for (std::size_t t = 0; t < effects.size(); ++t) {
    const auto columns = static_cast<double>(design.term_columns(t));
    effects[t].parameters = fit.penalised ? std::clamp(fit.terms[t].parameters, 0.0, columns) : columns;
    used += effects[t].parameters;
  }
  const double freedom = std::max(fit.equations.count_sum - used, 1.0);
  parallel_for(effects.size(), fit.threads, [&](std::size_t t) {
    if (loose.inverse[t].empty()) return;
    const TermInRows term = term_of(fit, loose, t);
    try {
      const Cholesky inverse(term.inverse, term.columns);
      effects[t].p_value = p_value_of(term, inverse, fit.noise_variance, freedom);
      effects[t].concurvity = concurvity_of(term, inverse);
    } catch (const NotPositiveDefinite&) {
      // So nearly singular that rounding decides: nothing is known.
    }
  });
}

}  // namespace kore
