#include "fit/effects.hpp"

#include <algorithm>
#include <span>

#include "stats/linear_form.hpp"

namespace kore {
namespace {

void set_shares(const std::vector<double>& with_fit, double total, std::vector<Effect>& effects) {
  if (!(total > 0)) return;
  for (std::size_t t = 0; t < effects.size(); ++t) {
    effects[t].share = effects[t].variance / total;
    effects[t].covariance_share = with_fit[t] / total;
  }
}

/// Variances and shares from the covariance of any two terms, `t <= u`.
void set_variances(std::vector<Effect>& effects, const auto& covariance_of) {
  std::vector<double> with_fit(effects.size());
  double total = 0;
  for (std::size_t t = 0; t < effects.size(); ++t)
    for (std::size_t u = t; u < effects.size(); ++u) {
      const double covariance = covariance_of(t, u);
      if (t == u) effects[t].variance = std::max(0.0, covariance);
      with_fit[t] += covariance;
      if (t != u) with_fit[u] += covariance;
      total += t == u ? covariance : 2 * covariance;
    }
  set_shares(with_fit, total, effects);
}

}  // namespace

std::vector<Effect> effects_of(const GramAccumulator& gram, const std::vector<double>& coefficients) {
  const Design& design = gram.design();
  const std::size_t terms = design.terms().size();
  const double n = gram.weight_sum();
  const std::vector<double> sums = gram.sums();
  const auto own = [&](const std::vector<double>& all, std::size_t t) {
    return std::span<const double>(all).subspan(design.raw_offset(t), design.raw_term_columns(t));
  };
  std::vector<Effect> effects(terms);
  for (std::size_t t = 0; t < terms; ++t) {
    const auto sum = own(sums, t);
    const auto c = own(coefficients, t);
    for (std::size_t i = 0; i < c.size(); ++i) effects[t].mean += sum[i] * c[i] / n;
  }
  // The functions of a main effect add up to one, so its mean can be subtracted from its coefficients. This
  // is done before squaring, because a large mean would cancel the digits of the variance.
  std::vector<double> centred = coefficients;
  std::vector<double> left_over(terms);
  for (std::size_t t = 0; t < terms; ++t) {
    const bool main_effect = design.terms()[t].order() == 1;
    left_over[t] = main_effect ? 0 : effects[t].mean;
    const auto first = centred.begin() + static_cast<std::ptrdiff_t>(design.raw_offset(t));
    if (main_effect)
      std::for_each(first, first + static_cast<std::ptrdiff_t>(design.raw_term_columns(t)),
                    [&](double& c) { c -= effects[t].mean; });
  }
  set_variances(effects, [&](std::size_t t, std::size_t u) {
    const std::vector<double> block = gram.block(t, u);
    const auto left = own(centred, t);
    const auto right = own(centred, u);
    double product = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      double row = 0;
      for (std::size_t j = 0; j < right.size(); ++j) row += block[i * right.size() + j] * right[j];
      product += left[i] * row;
    }
    return product / n - left_over[t] * left_over[u];
  });
  return effects;
}

std::vector<Effect> effects_of(const NormalEquations& equations, const Smoother& smoother) {
  const Design& design = smoother.design();
  const std::vector<double>& c = smoother.solution();
  const std::size_t p = design.columns();
  const std::size_t terms = design.terms().size();
  std::vector<Effect> effects(terms);
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t i = design.offset(t); i < design.offset(t + 1); ++i)
      effects[t].mean += equations.matrix[i] * c[i] / equations.weight_sum;
  set_variances(effects, [&](std::size_t t, std::size_t u) {
    double product = 0;
    for (std::size_t j = design.offset(t); j < design.offset(t + 1); ++j)
      for (std::size_t i = design.offset(u); i < design.offset(u + 1); ++i)
        product += c[j] * equations.matrix[std::min(i, j) * p + std::max(i, j)] * c[i];
    return product / equations.weight_sum - effects[t].mean * effects[u].mean;
  });
  return effects;
}

namespace {

/// From the values of every term in the rows.
std::vector<Effect> effects_of_values(std::vector<std::vector<double>> values, const RowBlock& rows) {
  const std::size_t terms = values.size();
  double n = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) n += rows.weight(r);
  std::vector<Effect> effects(terms);
  std::vector<double> fitted(rows.rows());
  for (std::size_t t = 0; t < terms; ++t) {
    for (std::size_t r = 0; r < rows.rows(); ++r)
      if (rows.weight(r) > 0) effects[t].mean += rows.weight(r) * values[t][r] / n;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      values[t][r] = rows.weight(r) > 0 ? values[t][r] - effects[t].mean : 0.0;
      fitted[r] += values[t][r];
    }
  }
  const auto covariance = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t r = 0; r < rows.rows(); ++r) sum += rows.weight(r) * a[r] * b[r];
    return sum / n;
  };
  std::vector<double> with_fit(terms);
  for (std::size_t t = 0; t < terms; ++t) {
    effects[t].variance = covariance(values[t], values[t]);
    with_fit[t] = covariance(values[t], fitted);
  }
  set_shares(with_fit, covariance(fitted, fitted), effects);
  return effects;
}

}  // namespace

std::vector<Effect> effects_of_rows(const Smoother& smoother, const RowBlock& rows, int threads) {
  std::vector<std::vector<std::size_t>> terms;
  for (std::size_t t = 0; t < smoother.design().terms().size(); ++t) terms.push_back({t});
  return effects_of_values(evaluate_sums(smoother.design(), terms, smoother.coefficients(),
                                         Extrapolation::continue_polynomial, rows.x, threads),
                           rows);
}

std::vector<Effect> effects_of_rows(const Decomposition& shown, const RowBlock& rows, int threads) {
  std::vector<std::vector<std::size_t>> parts;
  for (const ShownTerm& term : shown.terms) parts.push_back(term.parts);
  return effects_of_values(evaluate_sums(shown.design, parts, shown.coefficients,
                                         Extrapolation::continue_polynomial, rows.x, threads),
                           rows);
}

}  // namespace kore
