#include "grow/single_values.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace kore {
namespace {

/// Sums of the left-out residuals over the rows of each repeated value.
struct ValueSums {
  std::vector<double> weights;
  std::vector<double> residuals;
};

ValueSums sums_of(const GrowingData& data, const WorkingWeights& weights, std::span<const double> residuals,
                  std::size_t feature) {
  const std::vector<double>& repeated = data.features[feature].repeated;
  ValueSums sums{std::vector<double>(repeated.size()), std::vector<double>(repeated.size())};
  for (std::size_t r = 0; r < data.rows.rows(); ++r) {
    if (data.rows.weight(r) == 0) continue;
    const auto place = static_cast<std::size_t>(place_among(repeated, data.rows.x(r, feature)));
    if (place == repeated.size()) continue;
    sums.weights[place] += weights[r];
    sums.residuals[place] += weights[r] * residuals[r];
  }
  return sums;
}

double gain_of(const ValueSums& sums, double noise_variance, double weight) {
  double gain = 0;
  for (std::size_t l = 0; l < sums.weights.size(); ++l)
    gain += std::pow(sums.residuals[l], 2) / (noise_variance * (sums.weights[l] + weight)) -
            std::log1p(sums.weights[l] / weight);
  return gain / 2;
}

ScoredTerm score(const ValueSums& sums, double noise_variance, std::size_t feature) {
  constexpr int half_decades = 8;  // on either side of the mean weight of a value
  ScoredTerm scored{{{feature}, {each_value}}};
  double unit = 0;
  for (const double weight : sums.weights) unit += weight / static_cast<double>(sums.weights.size());
  if (!(unit > 0 && noise_variance > 0)) return scored;
  for (int e = -half_decades; e <= half_decades; ++e) {
    const double weight = unit * std::pow(10.0, 0.5 * e);
    const double gain = gain_of(sums, noise_variance, weight);
    if (!(gain > scored.gain)) continue;
    scored.gain = gain;
    scored.weight = weight;
  }
  return scored;
}

/// Residuals less their mean, which belongs to the constant.
std::vector<double> centred(const WorkingWeights& weights, const std::vector<double>& residuals) {
  double sum = 0;
  double weight = 0;
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    sum += weights[r] * residuals[r];
    weight += weights[r];
  }
  const double mean = sum / weight;
  std::vector<double> result;
  for (const double residual : residuals) result.push_back(residual - mean);
  return result;
}

}  // namespace

bool repeats(const GrowingData& data, std::size_t feature) {
  return data.features[feature].kind == FeatureKind::spline && !data.features[feature].repeated.empty();
}

std::vector<ScoredTerm> score_values(const GrowingData& data, const Stage& fitted) {
  // Twice the gain of one needless variance is about chi-squared with one degree of freedom, or zero: it is
  // beyond 4 in two of a hundred tables.
  constexpr double beyond_chance = 2;
  constexpr std::size_t fewest = 6;  // a curve has a column for each of fewer values
  std::vector<std::size_t> features;
  for (std::size_t j = 0; j < data.features.size(); ++j)
    if (repeats(data, j) && data.features[j].repeated.size() >= fewest) features.push_back(j);
  WorkingMemory memory;
  const WorkingWeights weights = working_rows_of(at_stage(data, fitted), memory).weights;
  const std::vector<double> residuals = centred(weights, fitted.loo_residuals);
  const double noise_variance = left_out_variance(data, fitted);
  std::vector<ScoredTerm> scored(features.size());
  parallel_for(features.size(), data.threads, [&](std::size_t i) {
    scored[i] = score(sums_of(data, weights, residuals, features[i]), noise_variance, features[i]);
  });
  const double least =
      beyond_chance + std::log(static_cast<double>(std::max<std::size_t>(features.size(), 1)));
  std::erase_if(scored, [&](const ScoredTerm& term) { return !(term.gain > least); });
  std::ranges::stable_sort(scored, std::ranges::greater{}, &ScoredTerm::gain);
  return scored;
}

}  // namespace kore
