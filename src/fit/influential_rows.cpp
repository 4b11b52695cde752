#include "fit/influential_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kore {
namespace {

constexpr double far = 3;               // standard deviations
constexpr double beside_largest = 0.5;  // of the largest distance, that is worth telling too
constexpr std::size_t most_features = 3;

/// The weighted mean of a function of a column's values.
template <class F>
double mean_of(const RowBlock& rows, std::size_t column, F&& f) {
  double sum = 0;
  double weight = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!(rows.weight(r) > 0)) continue;
    sum += rows.weight(r) * f(rows.x(r, column));
    weight += rows.weight(r);
  }
  return weight > 0 ? sum / weight : 0;
}

/// How far a value lies from those of the rows, in standard deviations.
double distance(const Feature& feature, const RowBlock& rows, std::size_t column, double value) {
  if (feature.kind == FeatureKind::category) {
    const double share = mean_of(rows, column, [&](double x) { return x == value ? 1.0 : 0.0; });
    const double least = 1 / static_cast<double>(std::max<std::size_t>(rows.rows(), 1));
    const double known = std::max(share, least);
    return std::sqrt((1 - known) / known);
  }
  const double mean = mean_of(rows, column, [](double x) { return x; });
  const double variance = mean_of(rows, column, [&](double x) { return (x - mean) * (x - mean); });
  return variance > 0 ? std::abs(value - mean) / std::sqrt(variance) : 0;
}

InfluentialRow named(const HighLeverage& high, const std::vector<Feature>& features, const RowBlock& rows) {
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t j = 0; j < features.size(); ++j)
    distances.emplace_back(distance(features[j], rows, j, high.x[j]), j);
  std::ranges::stable_sort(distances, std::ranges::greater{}, &std::pair<double, std::size_t>::first);
  InfluentialRow row{high.row, high.leverage};
  for (const auto& [size, feature] : distances) {
    if (row.features.size() == most_features || !(size >= far) ||
        size < beside_largest * distances.front().first)
      break;
    row.features.push_back(feature);
    row.values.push_back(high.x[feature]);
  }
  return row;
}

}  // namespace

void record_influential(const HighLeverages& high, const std::vector<Feature>& features, const RowBlock& rows,
                        FitSummary& summary) {
  summary.influential_count = high.count();
  summary.influential_rows.clear();
  for (const HighLeverage& row : high.rows()) summary.influential_rows.push_back(named(row, features, rows));
}

}  // namespace kore
