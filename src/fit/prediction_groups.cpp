#include "fit/prediction_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kore {
namespace {

constexpr std::size_t most_groups = 10;
constexpr std::size_t least_rows = 20;  // of a group
constexpr std::size_t fewest_groups = 2;
constexpr std::size_t parts = 5;  // whose intervals come from the others
constexpr double outer_share = 0.1;

std::vector<std::size_t> by_prediction(const HeldOut& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return rows.prediction[r]; });
  return order;
}

/// Intervals as the model would give them if it knew no errors but these.
Model with_errors_of(const HeldOut& errors, const Model& model) {
  Model other{model.design, {}, 0, {}, "", {}, {}, {}, {}, {}, {}};
  other.family = model.family;
  other.family_parameter = model.family_parameter;
  other.summary.accuracy.emplace().rows = errors.size();
  other.residual_spread = spread_of(errors);
  other.residual_quantiles = error_quantiles(errors, other.residual_spread);
  return other;
}

/// Whether each row lies in its interval. Neighbouring predictions are in different parts.
std::vector<bool> covered_by_others(const HeldOut& rows, const std::vector<std::size_t>& order,
                                    const Model& model) {
  std::vector<bool> covered(rows.size());
  for (std::size_t part = 0; part < parts; ++part) {
    HeldOut others;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (i % parts != part)
        others.add(rows.target[order[i]], rows.prediction[order[i]], rows.weight[order[i]]);
    // On the scale of the fit nothing has to be carried back.
    const Model judging = with_errors_of(others, model);
    const IntervalOffsets offsets = interval_offsets(judging, checked_level);
    for (std::size_t i = part; i < order.size(); i += parts)
      covered[order[i]] =
          interval_around(judging, offsets, rows.prediction[order[i]]).covers(rows.target[order[i]]);
  }
  return covered;
}

std::vector<bool> covered_by_family(const HeldOut& rows, const Model& model) {
  const IntervalOffsets offsets = interval_offsets(model, checked_level);
  std::vector<bool> covered(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    covered[r] = interval_around(model, offsets, rows.prediction[r]).covers(rows.target[r]);
  return covered;
}

bool has_count_intervals(const Model& model) {
  return model.family == "poisson" || model.family == "negative_binomial";
}

PredictionGroup group_of(const HeldOut& rows, std::span<const std::size_t> members,
                         const std::vector<bool>& covered) {
  PredictionGroup group;
  std::vector<double> targets;
  double within = 0;
  for (const std::size_t r : members) {
    const double weight = rows.weight[r];
    group.weight += weight;
    group.predicted += weight * rows.prediction[r];
    group.observed += weight * rows.target[r];
    group.rmse += weight * std::pow(rows.target[r] - rows.prediction[r], 2);
    if (!covered.empty() && covered[r]) within += weight;
    targets.push_back(rows.target[r]);
  }
  group.predicted /= group.weight;
  group.observed /= group.weight;
  group.rmse = std::sqrt(group.rmse / group.weight);
  if (!covered.empty()) group.covered = within / group.weight;
  std::ranges::sort(targets);
  const auto outer = static_cast<std::size_t>(outer_share * static_cast<double>(targets.size()));
  group.low = targets[outer];
  group.high = targets[targets.size() - 1 - outer];
  return group;
}

}  // namespace

std::vector<PredictionGroup> prediction_groups(const CheckedRows& checked, const Model& model) {
  const HeldOut& rows = checked.rows;
  const std::size_t count = std::min(most_groups, rows.size() / least_rows);
  if (count < fewest_groups) return {};
  const std::vector<std::size_t> order = by_prediction(rows);
  std::vector<bool> covered;
  if (has_count_intervals(model) && !checked.rates)
    covered = covered_by_family(rows, model);
  else if (!model.residual_quantiles.empty() && model.family != "binomial")  // yes or no has no interval
    covered = covered_by_others(checked.scaled.size() == rows.size() ? checked.scaled : rows, order, model);
  std::vector<PredictionGroup> groups;
  for (std::size_t g = 0; g < count; ++g) {
    const std::size_t first = g * order.size() / count;
    const std::size_t last = (g + 1) * order.size() / count;
    groups.push_back(group_of(rows, std::span(order).subspan(first, last - first), covered));
  }
  return groups;
}

void record_intervals(const CheckedRows& checked, bool by_errors, Model& model) {
  if (by_errors) {
    const HeldOut& rows = checked.scaled.size() > 0 ? checked.scaled : checked.rows;
    model.residual_spread = spread_of(rows);
    model.residual_quantiles = error_quantiles(rows, model.residual_spread);
  }
  model.summary.accuracy->by_prediction = prediction_groups(checked, model);
}

}  // namespace kore
