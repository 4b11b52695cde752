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

/// How the coefficients of all parts of a shown term follow from the solved columns of the fit: a column for
/// each of them.
std::vector<double> slope_columns(const Design& design, const PurifiedTerms& purified,
                                  const ShownTerm& term) {
  const std::size_t p = design.columns();
  std::vector<double> columns;
  for (const std::size_t part : term.parts) {
    const std::size_t first = columns.size();
    const std::size_t functions = purified.shown.design.raw_term_columns(part);
    columns.resize(first + functions * p);
    for (const auto& [source, slopes] : purified.slopes[part]) {
      const std::size_t width = design.term_columns(source);
      for (std::size_t i = 0; i < functions; ++i)
        std::copy_n(slopes.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    columns.begin() + static_cast<std::ptrdiff_t>(first + i * p + design.offset(source)));
    }
  }
  return columns;
}

/// Of the coefficients of all parts, square. `columns` are their slopes.
std::vector<double> mean_square_errors(const FitInRows& fit, const LooseFit& loose,
                                       std::vector<double> columns) {
  const std::size_t p = fit.smoother.design().columns();
  const std::size_t size = columns.size() / p;
  std::vector<double> shift(size);
  for (std::size_t i = 0; i < size && fit.penalised; ++i)
    for (std::size_t k = 0; k < p; ++k)
      shift[i] += columns[i * p + k] * (loose.smoother->solution()[k] - fit.smoother.solution()[k]);
  loose.smoother->half_solve(columns, size);
  std::vector<double> errors(size * size);
  inner_product(columns.data(), size, p, columns.data(), size, p, p, errors.data(), size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      errors[i * size + j] = fit.noise_variance * errors[i * size + j] + shift[i] * shift[j];
  return errors;
}

/// Whether a term has functions of single levels or values.
bool has_levels(const Design& design, std::size_t term) {
  for (const std::size_t marginal : design.term_marginals(term))
    if (design.marginals()[marginal].basis.degree() == 0) return true;
  return false;
}

/// The same as `leading_factor` for terms with levels. A level without rows, such as "(other)", has the error
/// of its prior, which would drown those of all others in the trace: here each coefficient counts the same,
/// and keeps its own error.
std::vector<double> leading_factor_of_levels(const std::vector<double>& covariance, std::size_t size) {
  std::vector<double> scales(size, 1.0);
  for (std::size_t j = 0; j < size; ++j)
    if (covariance[j * size + j] > 0) scales[j] = 1 / covariance[j * size + j];
  std::vector<double> factor = leading_factor(covariance, scales);
  for (std::size_t j = 0; j < size; ++j) {
    double held = 0;
    for (std::size_t at = j; at < factor.size(); at += size) held += factor[at] * factor[at];
    const double lacks = held > 0 ? std::sqrt(covariance[j * size + j] / held) : 0;
    for (std::size_t at = j; at < factor.size(); at += size) factor[at] *= lacks;
  }
  return factor;
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
    else if (has_levels(design, t))
      effects[t].covariance_factor = leading_factor_of_levels(errors, design.raw_term_columns(t));
    else
      effects[t].covariance_factor = leading_factor(std::move(errors), mean_squares(design, t));
  });
}

void add_bands(const FitInRows& fit, const LooseFit& loose, PurifiedTerms& purified) {
  Decomposition& shown = purified.shown;
  parallel_for(shown.terms.size(), fit.threads, [&](std::size_t t) {
    const ShownTerm& term = shown.terms[t];
    std::vector<double> scales;
    bool levels = false;
    for (const std::size_t part : term.parts) {
      if (!purified.slopes_known[part]) return;
      const std::vector<double> own = mean_squares(shown.design, part);
      scales.insert(scales.end(), own.begin(), own.end());
      levels = levels || has_levels(shown.design, part);
    }
    if (term.order() > 2 || scales.size() > most_columns_with_bands) return;
    std::vector<double> errors =
        mean_square_errors(fit, loose, slope_columns(fit.smoother.design(), purified, term));
    shown.effects[t].covariance_factor =
        levels ? leading_factor_of_levels(errors, scales.size()) : leading_factor(std::move(errors), scales);
  });
}

}  // namespace kore
