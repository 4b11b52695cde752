#pragma once

#include <cmath>

#include "report/made_up_model.hpp"

namespace kore::test {

/// A Poisson number by inversion.
inline double poisson(Uniform& uniform, double mean) {
  double left = uniform();
  double probability = std::exp(-mean);
  double count = 0;
  while (left > probability && count < 1000) {
    left -= probability;
    probability *= mean / ++count;
  }
  return count;
}

/// A target of the family around a mean that rises with `signal`, which is about 0 to 6.
inline double target_of(Family family, double signal, Uniform& uniform) {
  if (family == Family::binomial) return uniform() < 1 / (1 + std::exp(3 - 1.2 * signal)) ? 1 : 0;
  const double mean = std::exp(signal / 3);
  if (family == Family::gamma) return mean * (0.2 - std::log(uniform.between(0.01, 1)));
  const double spread = family == Family::negative_binomial ? -std::log(uniform.between(1e-3, 1)) : 1;
  return poisson(uniform, mean * spread);
}

/// The table of `made_up_model` with a target of another family, and its model. With `exposed`, each row has
/// its own exposure: the target is a rate and the weights are exposures over their mean.
inline MadeUpModel made_up_family(Family family, bool exposed = false, std::size_t count = 400) {
  MadeUpModel made = made_up_model(false, count);
  Uniform uniform(5);
  Options options;
  options.grown().family = family;
  for (const Feature& feature : made.fitted.model.design.features()) {
    options.kinds.push_back(feature.kind);
    options.levels.push_back(feature.levels);
  }
  if (!exposed) {
    for (double& y : made.rows.y) y = target_of(family, y, uniform);
  } else {
    std::vector<double> exposure(count);
    double sum = 0;
    for (double& e : exposure) sum += e = uniform.between(0.2, 4);
    const double mean = sum / static_cast<double>(count);
    for (std::size_t r = 0; r < count; ++r) {
      made.rows.y[r] = poisson(uniform, exposure[r] * std::exp(made.rows.y[r] / 3)) / exposure[r];
      made.rows.weights.push_back(exposure[r] / mean);
    }
    options.grown().dispersion = 1 / mean;
    made.fitted.facts.exposure = "years";
  }
  made.fitted.model = fit(made.rows.source(), options, table::names_of(made.fitted.encoding, "outcome"));
  if (family == Family::binomial) made.fitted.facts.target_levels = {"paid", "lost"};
  return made;
}

}  // namespace kore::test
