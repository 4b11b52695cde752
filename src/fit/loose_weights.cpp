#include "fit/loose_weights.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>

#include "penalty/roughness.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

// How unlikely a draw the estimates may have been. By simulation these give bands of 95 % that cover 92 to 98
// % (docs/default-profile.md).
constexpr double size_level = 0.1;
constexpr double bends_level = 0.4;

using Vector = std::vector<double>;

bool has_levels(const Design& design, std::size_t term) { return design.basis(term, 0).degree() == 0; }

double size_directions(const Design& design, std::size_t term) {
  return has_levels(design, term) ? static_cast<double>(design.term_columns(term)) : 1.0;
}

double loosened(double weight, double of_rows, double directions, double level, double looseness) {
  const double unlikely = boost::math::quantile(boost::math::chi_squared(directions), level);
  const double factor = std::pow(directions / unlikely, looseness);
  return of_rows > 0 ? 1 / ((factor - 1) / of_rows + factor / weight) : weight;
}

Vector own_gram(const Design& design, const NormalEquations& equations, std::size_t term) {
  const std::size_t p = design.columns();
  const std::size_t m = design.term_columns(term);
  const std::size_t first = design.offset(term);
  Vector gram(m * m);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < m; ++i)
      gram[j * m + i] = equations.matrix[(first + std::min(i, j)) * p + first + std::max(i, j)];
  return gram;
}

/// Coefficients that rise with a power of their index. The last function is left out, so its coefficient is
/// subtracted.
Vector power(std::size_t columns, int exponent) {
  Vector coefficients(columns);
  for (std::size_t i = 0; i < columns; ++i)
    coefficients[i] =
        std::pow(static_cast<double>(i), exponent) - std::pow(static_cast<double>(columns), exponent);
  return coefficients;
}

double product(const Vector& a, const Vector& matrix, const Vector& b) {
  double total = 0;
  for (std::size_t j = 0; j < b.size(); ++j)
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * matrix[j * a.size() + i] * b[j];
  return total;
}

/// A parabola that is uncorrelated with the straight line.
Vector parabola(const Vector& gram, const Vector& line) {
  Vector arc = power(line.size(), 2);
  const double slope = product(line, gram, arc) / product(line, gram, line);
  for (std::size_t i = 0; i < arc.size(); ++i) arc[i] -= slope * line[i];
  return arc;
}

}  // namespace

double looseness(const Design& design, double rows) {
  double directions = 1;
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    if (design.terms()[t].order() == 1) directions += size_directions(design, t);
  return std::min(1.0, rows / (2 * directions));
}

std::vector<double> loose_weights(const Design& design, const NormalEquations& equations, std::size_t term,
                                  const GrownTerm& fitted, double looseness) {
  Vector weights = fitted.weights;
  const std::size_t m = design.term_columns(term);
  if (m == 0 || weights.empty()) return weights;
  const std::vector<Vector> penalties = term_penalties(design, term);
  const Vector gram = own_gram(design, equations, term);
  const Vector& size = penalties.back();
  if (design.terms()[term].order() > 1)
    return {loosened(weights[0], std::numeric_limits<double>::infinity(), std::max(fitted.parameters, 1.0),
                     bends_level, looseness)};
  if (design.marginal(term, 0).cyclic())
    return {loosened(weights[0], trace(gram, m) / trace(size, m), std::max(fitted.parameters, 1.0),
                     bends_level, looseness)};
  const Vector line = power(m, 1);
  const double of_rows = has_levels(design, term) ? trace(gram, m) / trace(size, m)
                                                  : quadratic_form(gram, line) / quadratic_form(size, line);
  weights.back() =
      loosened(fitted.weights.back(), of_rows, size_directions(design, term), size_level, looseness);
  if (penalties.size() == 1) return weights;
  const Vector arc = parabola(gram, line);
  const double bends = quadratic_form(penalties.front(), arc);
  const double not_shown = std::clamp(2 - fitted.parameters, 0.0, 1.0);
  const double weight =
      fitted.weights.front() + not_shown * fitted.weights.back() * quadratic_form(size, arc) / bends;
  weights.front() = loosened(weight, quadratic_form(gram, arc) / bends, std::max(fitted.parameters - 1, 1.0),
                             bends_level, looseness);
  return weights;
}

}  // namespace kore
