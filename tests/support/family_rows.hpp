#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "kore/options.hpp"
#include "kore/response.hpp"
#include "support/made_up_rows.hpp"

namespace kore::test {

/// The predictor that targets of every family are drawn around: two curves and a third feature without
/// effect.
inline double true_predictor(const Rows& rows, std::size_t r) {
  return -0.2 + 1.5 * std::sin(5 * rows.at(r, 0)) + 2 * (rows.at(r, 1) - 0.5);
}

/// A Poisson count by multiplication of uniform numbers.
inline double poisson_draw(Uniform& uniform, double mean) {
  const double limit = std::exp(-mean);
  double product = uniform();
  double count = 0;
  for (; product > limit; ++count) product *= uniform();
  return count;
}

/// Of shape 3, as a sum of exponential ones: a dispersion of a third.
inline double gamma_draw(Uniform& uniform, double mean) {
  return -mean / 3 * (std::log(1 - uniform()) + std::log(1 - uniform()) + std::log(1 - uniform()));
}

inline double draw(std::string_view family, Uniform& uniform, double eta) {
  if (family == "binomial") return uniform() < 1 / (1 + std::exp(-eta)) ? 1 : 0;
  if (family == "gamma") return gamma_draw(uniform, std::exp(eta));
  if (family == "negative_binomial") return poisson_draw(uniform, gamma_draw(uniform, std::exp(eta)));
  return poisson_draw(uniform, std::exp(eta));
}

/// Three uniform features, and targets of a family around `true_predictor`.
inline Rows family_rows(std::string_view family, std::size_t count, std::uint64_t seed) {
  Rows rows = made_up_rows(count, 3, seed);
  Uniform uniform(seed + 1);
  for (std::size_t r = 0; r < count; ++r) rows.y[r] = draw(family, uniform, true_predictor(rows, r));
  return rows;
}

inline Options family_options(std::string_view family) {
  Options options;
  options.grown().family = family == "binomial"  ? Family::binomial
                           : family == "gamma"   ? Family::gamma
                           : family == "poisson" ? Family::poisson
                                                 : Family::negative_binomial;
  return options;
}

}  // namespace kore::test
