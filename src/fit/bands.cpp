#include "fit/bands.hpp"

#include <algorithm>

#include "fit/loose_weights.hpp"
#include "penalty/roughness.hpp"

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
          fit_with_enough_ridge(fit.smoother.design(), fit.equations, std::move(options)).smoother};
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

}  // namespace

LooseFit loosen(const FitInRows& fit) {
  try {
    return fit_with(fit, penalties_of(fit, true));
  } catch (const NotPositiveDefinite&) {
    return fit_with(fit, penalties_of(fit, false));
  }
}

void add_bands(const FitInRows& fit, std::vector<Effect>& effects) {
  const LooseFit loose = loosen(fit);
  std::vector<std::size_t> mains;
  for (std::size_t t = 0; t < effects.size(); ++t)
    if (fit.smoother.design().terms()[t].order() == 1) mains.push_back(t);
  std::vector<std::vector<double>> covariances = loose.smoother->covariances(mains, fit.threads);
  for (std::size_t i = 0; i < mains.size(); ++i) {
    const std::vector<double> shift = shift_of(fit, loose, mains[i]);
    std::vector<double>& covariance = covariances[i];
    for (std::size_t a = 0; a < shift.size(); ++a)
      for (std::size_t b = 0; b < shift.size(); ++b) {
        double& value = covariance[a * shift.size() + b];
        value = fit.noise_variance * value + shift[a] * shift[b];
      }
    effects[mains[i]].covariance = std::move(covariance);
  }
}

}  // namespace kore
