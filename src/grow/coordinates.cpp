#include "grow/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "basis/warp.hpp"

namespace kore {
namespace {

// A feature with `m` distinct values gets at most `m - 2` intervals: a cubic spline then has `m` columns
// beside the intercept, and more could not be determined.
constexpr int functions_beyond_values = 2;

// A warp has corners, and a smooth function of the feature has corners as a function of the warped value. So
// a warp is used only where the distribution is uneven enough.
constexpr double even_enough = 0.1;

/// The values of a column in rising order, with the weights of their rows and, where there are groups, the
/// groups of these.
struct Values {
  std::vector<double> sorted;
  std::vector<double> weights;
  std::vector<double> groups;
};

Values values_of(const RowBlock& rows, std::size_t column, const Range& range, RangesOf ranges) {
  std::vector<std::tuple<double, double, double>> all;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    if (rows.weight(r) > 0)
      all.emplace_back(rows.x(r, column), rows.weight(r), rows.groups.empty() ? 0 : rows.groups[r]);
  if (ranges == RangesOf::rows) {  // a sample may have missed the ends
    all.emplace_back(range.lowest, 0.0, 0.0);
    all.emplace_back(range.highest, 0.0, 0.0);
  }
  std::ranges::sort(all);
  Values values;
  for (const auto& [value, weight, group] : all) {
    values.sorted.push_back(value);
    values.weights.push_back(weight);
    if (!rows.groups.empty()) values.groups.push_back(group);
  }
  return values;
}

/// The largest distance between the distribution function of the values and that of an even distribution over
/// their range.
double unevenness(const Values& values) {
  double total = 0;
  for (const double weight : values.weights) total += weight;
  const double lowest = values.sorted.front();
  const double range = values.sorted.back() - lowest;
  double passed = 0;
  double largest = 0;
  for (std::size_t i = 0; i < values.sorted.size(); ++i) {
    const double even = (values.sorted[i] - lowest) / range;
    largest = std::max(largest, std::abs(passed / total - even));
    passed += values.weights[i];
    largest = std::max(largest, std::abs(passed / total - even));
  }
  return largest;
}

int distinct_values(const Values& values) {
  int distinct = values.sorted.empty() ? 0 : 1;
  for (std::size_t i = 1; i < values.sorted.size(); ++i)
    distinct += values.sorted[i] != values.sorted[i - 1] ? 1 : 0;
  return distinct;
}

/// Whether rows from `first` up to `last`, which have the same value, tell what is special about it: two rows
/// do and, where there are groups, only rows of two groups. What a single group has says nothing about
/// others.
bool shared(const Values& values, std::size_t first, std::size_t last) {
  std::size_t rows = 0;
  std::set<double> groups;
  for (std::size_t i = first; i < last; ++i) {
    if (!(values.weights[i] > 0)) continue;
    ++rows;
    if (!values.groups.empty()) groups.insert(values.groups[i]);
  }
  return (values.groups.empty() ? rows : groups.size()) > 1;
}

/// The values that rows share, where most rows have one of them; empty otherwise.
std::vector<double> repeated_values(const Values& values) {
  constexpr std::size_t fewest = 3;  // two are a straight line
  constexpr std::size_t most = 1000;
  constexpr double covered = 0.5;  // of the rows
  std::vector<double> repeated;
  double total = 0;
  double of_repeated = 0;
  for (std::size_t first = 0, last = 0; first < values.sorted.size(); first = last) {
    double weight = 0;
    for (; last < values.sorted.size() && values.sorted[last] == values.sorted[first]; ++last)
      weight += values.weights[last];
    total += weight;
    if (!shared(values, first, last)) continue;
    of_repeated += weight;
    repeated.push_back(values.sorted[first]);
  }
  const bool enough = of_repeated >= covered * total;
  return enough && repeated.size() >= fewest && repeated.size() <= most ? repeated : std::vector<double>{};
}

Coordinate coordinate_of(Feature feature, const RowBlock& rows, std::size_t column, RangesOf ranges) {
  if (!(feature.range.lowest < feature.range.highest)) return {std::move(feature)};
  if (feature.cyclic) {
    Values values = values_of(rows, column, feature.range, RangesOf::caller);
    for (double& value : values.sorted) value = into_period(feature.range, value);
    std::ranges::sort(values.sorted);
    const int distinct = distinct_values(values);
    return {std::move(feature), distinct > 1 ? std::max(distinct, coarsest_cyclic) : 0};
  }
  const Values values = values_of(rows, column, feature.range, ranges);
  const int distinct = distinct_values(values);
  // Two points determine a line; a spline through them would be arbitrary in between.
  if (distinct == 2 && feature.kind == FeatureKind::spline) feature.kind = FeatureKind::linear;
  if (ranges == RangesOf::rows && feature.kind == FeatureKind::spline && unevenness(values) > even_enough)
    feature.warp = distribution_warp(values.sorted, values.weights);
  if (feature.kind == FeatureKind::spline) feature.repeated = repeated_values(values);
  return {std::move(feature), distinct > 1 ? std::max(1, distinct - functions_beyond_values) : 0};
}

}  // namespace

std::vector<Coordinate> coordinates_of(std::vector<Feature> features, const RowBlock& rows, RangesOf ranges,
                                       int threads, std::span<const int> finest) {
  constexpr std::size_t worth_threads = 20'000;  // values to sort
  std::vector<Coordinate> coordinates(features.size());
  const bool few = rows.rows() * features.size() < worth_threads;
  parallel_for(features.size(), few ? 1 : threads, [&](std::size_t j) {
    coordinates[j] = coordinate_of(std::move(features[j]), rows, j, ranges);
    if (!finest.empty() && finest[j] > 0) coordinates[j].finest = std::min(coordinates[j].finest, finest[j]);
  });
  return coordinates;
}

int Coordinate::coarsest() const { return feature.cyclic ? coarsest_cyclic : 1; }

std::vector<Feature> features_of(std::span<const Coordinate> coordinates) {
  std::vector<Feature> features;
  for (const Coordinate& coordinate : coordinates) features.push_back(coordinate.feature);
  return features;
}

Term term_at(std::span<const Coordinate> coordinates, std::vector<std::size_t> features, int resolution) {
  Term term{std::move(features), {}};
  for (const std::size_t j : term.features) {
    const int coarsest = coordinates[j].coarsest();
    term.resolutions.push_back(std::clamp(resolution, coarsest, std::max(coarsest, coordinates[j].finest)));
  }
  return term;
}

}  // namespace kore
