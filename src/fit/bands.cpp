#include "fit/bands.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "design/transform.hpp"
#include "fit/loose_weights.hpp"
#include "penalty/roughness.hpp"
#include "solve/blas.hpp"

namespace kore {
namespace {

std::vector<TermPenalty> penalties_of(const FitInRows& fit, bool loose) {
  const Design& design = fit.smoother.design();
  const double exponent = looseness(design, fit.equations.count_sum);
  std::vector<TermPenalty> penalties;
  for (std::size_t t = 0; t < fit.terms.size() && fit.penalised; ++t)
    penalties.push_back(
        {t, weighted_penalty(design, t,
                             loose ? loose_weights(design, fit.equations, t, fit.terms[t], exponent)
                                   : fit.terms[t].weights)});
  return penalties;
}

LooseFit fit_with(const FitInRows& fit, std::vector<TermPenalty> penalties) {
  SmootherOptions options;
  options.ridge = fit.ridge;
  options.relative_ridge = fit.relative_ridge;
  options.response = &fit.smoother.response();
  options.penalties = penalties;
  options.leverages = false;
  options.threads = fit.threads;
  return {std::move(penalties),
          fit_with_enough_ridge(fit.smoother.design(), fit.equations, std::move(options)).smoother,
          {}};
}

/// How far the weights have moved the term's raw coefficients.
std::vector<double> shift_of(const FitInRows& fit, const LooseFit& loose, std::size_t term) {
  const Design& design = fit.smoother.design();
  std::vector<double> shift(design.raw_term_columns(term));
  if (!fit.penalised) return shift;
  for (std::size_t i = 0; i < shift.size(); ++i) {
    const std::size_t at = design.raw_offset(term) + i;
    shift[i] = loose.smoother->coefficients()[at] - fit.smoother.coefficients()[at];
  }
  return shift;
}

/// Of the term's raw coefficients, square.
std::vector<double> mean_square_errors(const FitInRows& fit, const LooseFit& loose, std::size_t term) {
  std::vector<double> errors = raw_covariance(fit.equations.maps[term], loose.inverse[term]);
  const std::vector<double> shift = shift_of(fit, loose, term);
  for (std::size_t i = 0; i < shift.size(); ++i)
    for (std::size_t j = 0; j < shift.size(); ++j) {
      double& value = errors[i * shift.size() + j];
      value = fit.noise_variance * value + shift[i] * shift[j];
    }
  return errors;
}

/// Of the functions of a coordinate, over its range; equal ones for levels.
std::vector<double> mean_squares(const UniformBasis& basis) {
  std::vector<double> squares(static_cast<std::size_t>(basis.functions()), basis.degree() == 0 ? 1.0 : 0.0);
  if (basis.degree() == 0) return squares;
  constexpr int each = 8;  // points of an interval
  const Knots& knots = basis.knots();
  const double step = (knots.last - knots.first) / (each * knots.intervals);
  for (int i = 0; i < each * knots.intervals; ++i) {
    const LocalBasis local = basis.evaluate(knots.first + (i + 0.5) * step, Extrapolation::linear);
    for (int s = 0; s <= basis.degree(); ++s)
      squares[static_cast<std::size_t>(local.cell + s)] +=
          std::pow(local.value[static_cast<std::size_t>(s)], 2) / each;
  }
  return squares;
}

/// Of the raw functions of a term.
std::vector<double> mean_squares(const Design& design, std::size_t term) {
  std::vector<double> all{1.0};
  for (std::size_t c = 0; c < design.terms()[term].order(); ++c) {
    const std::vector<double> own = mean_squares(design.basis(term, c));
    std::vector<double> next;
    for (const double before : all)
      for (const double value : own) next.push_back(before * value);
    all = std::move(next);
  }
  return all;
}

LooseFit solved(const FitInRows& fit) {
  try {
    return fit_with(fit, penalties_of(fit, true));
  } catch (const NotPositiveDefinite&) {
    return fit_with(fit, penalties_of(fit, false));
  }
}

}  // namespace

LooseFit loosen(const FitInRows& fit) {
  const Design& design = fit.smoother.design();
  LooseFit loose = solved(fit);
  std::vector<std::size_t> terms;
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    if (design.term_columns(t) <= most_columns_with_bands) terms.push_back(t);
  std::vector<std::vector<double>> blocks = loose.smoother->inverse_blocks(terms, fit.threads);
  loose.inverse.resize(design.terms().size());
  for (std::size_t i = 0; i < terms.size(); ++i) loose.inverse[terms[i]] = std::move(blocks[i]);
  return loose;
}

std::vector<double> leading_factor(std::vector<double> covariance, std::span<const double> scales) {
  constexpr double left_out = 0.02;
  const std::size_t size = scales.size();
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < size; ++i) covariance[j * size + i] *= std::sqrt(scales[i] * scales[j]);
  const std::vector<double> strengths = eigen_lower(covariance.data(), size, size);
  const double all = std::accumulate(strengths.begin(), strengths.end(), 0.0);
  std::size_t count = 0;
  double held = 0;
  while (count < std::min(size, most_band_directions) && held < (1 - left_out) * all)
    held += strengths[size - ++count];
  std::vector<double> factor;
  for (std::size_t i = 0; i < count; ++i) {
    const double strength = strengths[size - 1 - i] * all / held;
    for (std::size_t j = 0; j < size; ++j)
      factor.push_back(std::sqrt(strength / scales[j]) * covariance[(size - 1 - i) * size + j]);
  }
  return factor;
}

void add_bands(const FitInRows& fit, const LooseFit& loose, std::vector<Effect>& effects) {
  const Design& design = fit.smoother.design();
  parallel_for(effects.size(), fit.threads, [&](std::size_t t) {
    const std::size_t order = design.terms()[t].order();
    if (order > 2 || loose.inverse[t].empty()) return;
    std::vector<double> errors = mean_square_errors(fit, loose, t);
    if (order == 1)
      effects[t].covariance = std::move(errors);
    else
      effects[t].covariance_factor = leading_factor(std::move(errors), mean_squares(design, t));
  });
}

}  // namespace kore
