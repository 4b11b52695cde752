#include "fit/widening_rates.hpp"

#include <cmath>

namespace kore {
namespace {

constexpr double step = 2.5;  // of the walk over one deviation of the feature, in deviations of its effects

double deviation_of(const RowBlock& rows, std::size_t column) {
  double weight = 0;
  double mean = 0;
  double squares = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!(rows.weight(r) > 0)) continue;
    weight += rows.weight(r);
    const double gap = rows.x(r, column) - mean;
    mean += gap * rows.weight(r) / weight;
    squares += rows.weight(r) * gap * (rows.x(r, column) - mean);
  }
  return weight > 0 ? std::sqrt(squares / weight) : 0;
}

/// The variance of all terms that a feature is part of.
double variance_with(const Model& model, std::size_t feature) {
  double variance = 0;
  for (std::size_t t = 0; t < model.effects.size(); ++t)
    for (const std::size_t j : model.design.terms()[t].features)
      if (j == feature) variance += model.effects[t].variance;
  return variance;
}

}  // namespace

std::vector<double> widening_rates(const Model& model, const RowBlock& rows) {
  // Effects are on the scale of the fit, and so must be the errors that they are compared with.
  const bool own_units = model.summary.accuracy && model.target_scale == TargetScale::identity;
  const double error = own_units ? model.summary.accuracy->rmse : std::sqrt(model.summary.loo);
  std::vector<double> rates(model.design.features().size());
  for (std::size_t j = 0; j < rates.size(); ++j) {
    const Feature& feature = model.design.features()[j];
    if (feature.kind == FeatureKind::category || feature.cyclic) continue;  // nothing is outside of them
    const double deviation = deviation_of(rows, j);
    if (!(deviation > 0) || !(error > 0)) continue;
    rates[j] = step * step * variance_with(model, j) / (deviation * error * error);
  }
  return rates;
}

}  // namespace kore
