#include "fit/robust_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "response/robust.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

constexpr double normal_median = 0.674489750196082;  // of absolute standard normal errors
constexpr double monotone_limit = 2;       // noise deviations up to which a row counts fully at first
constexpr double before_interactions = 2;  // how much wider the limits are then
constexpr int most_main_rounds = 6;
constexpr int most_rounds = 5;
constexpr int most_steps = 20;
constexpr double same_counts = 1e-3;  // mean change of the factors
constexpr double same_fit = 1e-7;     // change of a fitted value, in noise deviations
// Gross errors are exceptions. Where most targets are equal, the median error says nothing about the others.
constexpr double most_discounted = 0.2;  // of the rows that count for less than half
constexpr double half_counts = 3.85;     // noise deviations at which a row counts for half
// Where there is hardly any noise, what a spline cannot follow is no gross error.
constexpr double smallest_scale = 1e-3;  // of the target's deviation

/// Factor of a convex loss: the weight falls like one over the error and never reaches zero.
double monotone_weight(double error) { return monotone_limit / std::max(std::abs(error), monotone_limit); }

std::vector<double> factors_of(std::span<const double> errors, double scale, const auto& weight) {
  std::vector<double> factors;
  for (const double error : errors) factors.push_back(weight(error / scale));
  return factors;
}

double mean_change(std::span<const double> before, std::span<const double> after) {
  double change = 0;
  for (std::size_t r = 0; r < after.size(); ++r) change += std::abs(after[r] - before[r]);
  return change / static_cast<double>(std::max<std::size_t>(after.size(), 1));
}

/// The smallest value that at least this share of the rows does not exceed.
double quantile_of(const std::vector<double>& values, const RowCounts& counts, double share) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return values[r]; });
  double total = 0;
  for (const std::size_t r : order) total += counts[r];
  double below = 0;
  for (const std::size_t r : order) {
    below += counts[r];
    if (counts[r] > 0 && below >= share * total) return values[r];
  }
  return 0;
}

std::vector<double> sizes_of(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  return errors;
}

double scale_of(const GrowingRows& rows, const std::vector<double>& errors) {
  const RowCounts& counts = rows.deciding().weights;
  const double deviation = std::sqrt(rows.data().target_variance) / rows.unit();
  const double of_exceptions = quantile_of(sizes_of(errors), counts, 1 - most_discounted) / half_counts;
  return std::max({noise_scale_of(errors, counts), of_exceptions, smallest_scale * deviation});
}

/// A function at the rows of the growth.
std::vector<double> values_of(const FittedFunction& fit, const GrowingData& data) {
  std::vector<double> values(data.rows.rows());
  evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, data.rows.x, values,
                data.threads);
  return values;
}

/// Of the deciding rows, from values at the rows of the growth.
std::vector<double> errors_from(const GrowingRows& rows, std::span<const double> values) {
  std::vector<double> errors;
  for (std::size_t r = 0; r < rows.deciding().rows(); ++r)
    errors.push_back(rows.deciding().y[r] - values[rows.merged_into()[r]]);
  return errors;
}

/// The errors of the deciding rows, each left out. A row that does not count had no influence.
std::vector<double> left_out_errors(const GrowingRows& rows, const Stage& stage) {
  const GrowingData& data = rows.growing();
  std::vector<double> values = values_of(*stage.function, data);
  for (std::size_t r = 0; r < values.size(); ++r)
    if (data.rows.weight(r) > 0) values[r] = data.rows.y[r] - stage.loo_residuals[r];
  return errors_from(rows, values);
}

std::vector<double> chosen_errors(const GrowingRows& rows, const Growth& growth) {
  return left_out_errors(rows, growth.stages[growth.chosen]);
}

/// Distances from the median of the target: what is known before any fit.
std::vector<double> errors_of_median(const GrowingRows& rows) {
  const RowBlock& deciding = rows.deciding();
  const double median = quantile_of({deciding.y.begin(), deciding.y.end()}, deciding.weights, 0.5);
  std::vector<double> errors;
  for (const double y : deciding.y) errors.push_back(y - median);
  return errors;
}

GrowOptions main_effects_alone(GrowOptions options) {
  options.max_order = 1;
  options.given.clear();
  options.all_pairs = options.interactions_only = options.unpenalised_pairs = false;
  return options;
}

using OptionsFor = std::function<GrowOptions(const GrowingRows& rows)>;

/// Errors of main effects, whose own weights never reach zero.
std::vector<double> errors_of_main_effects(GrowingRows& rows, const OptionsFor& options_for) {
  std::vector<double> errors = errors_of_median(rows);
  std::vector<double> factors;
  for (int round = 0; round < most_main_rounds; ++round) {
    const double scale = scale_of(rows, errors);
    std::vector<double> next = factors_of(errors, scale, monotone_weight);
    if (round > 0 && mean_change(factors, next) < same_counts) break;
    factors = std::move(next);
    rows.weigh(factors, scale, true);
    errors = chosen_errors(rows, grow(rows.growing(), main_effects_alone(options_for(rows))));
  }
  return errors;
}

}  // namespace

double noise_scale_of(std::vector<double> errors, const RowCounts& counts) {
  return quantile_of(sizes_of(std::move(errors)), counts, 0.5) / normal_median;
}

Growth grow_robustly(GrowingRows& rows, const OptionsFor& options_for) {
  std::vector<double> errors = errors_of_main_effects(rows, options_for);
  double scale = scale_of(rows, errors);
  std::vector<double> factors = factors_of(errors, before_interactions * scale, robust_weight);
  for (int round = 1;; ++round) {
    rows.weigh(factors, scale, true);
    Growth growth = grow(rows.growing(), options_for(rows));
    errors = chosen_errors(rows, growth);
    scale = scale_of(rows, errors);
    std::vector<double> next = factors_of(errors, scale, robust_weight);
    const bool settled = mean_change(factors, next) < same_counts;
    if (settled || round == most_rounds) {
      rows.set_noise(scale, settled);
      return growth;
    }
    factors = std::move(next);
  }
}

void settle(GrowingRows& rows, Stage& stage) {
  const double scale = rows.noise_scale();
  std::vector<double> values = values_of(*stage.function, rows.growing());
  for (int step = 0; step < most_steps; ++step) {
    const std::vector<double> errors = errors_from(rows, values);
    rows.weigh(factors_of(errors, scale, robust_weight), scale, false);
    const double shrinkage = stage.shrinkage;
    stage = fit_shrunk(rows.growing(), stage, 1);
    stage.shrinkage = shrinkage;
    const std::vector<double> before = std::exchange(values, values_of(*stage.function, rows.growing()));
    if (before.size() != values.size()) continue;  // other rows are merged now
    double change = 0;
    for (std::size_t r = 0; r < values.size(); ++r)
      change = std::max(change, std::abs(values[r] - before[r]));
    if (change <= same_fit * scale) return;
  }
  rows.set_noise(scale, false);
}

WeighedFit fit_weighed(const GrowingRows& rows, const Stage& stage, bool penalised, const RowSource& source,
                       const FullFitLimits& limits) {
  const auto fit_to = [&](const RowSource& weighed) {
    return fit_all_rows(rows.growing(), stage, penalised, weighed, limits);
  };
  const double scale = rows.noise_scale();
  if (!(scale > 0)) return {fit_to(source), std::nullopt};
  const int threads = rows.growing().threads;
  const FullFit first = fit_to(WeighedSource(source, weighing_by(*stage.function, scale), threads));
  const Smoother& fitted = first.smoother;
  const RowWeighing weighing =
      weighing_by({fitted.design(), fitted.intercept(), fitted.coefficients()}, scale);
  return {fit_to(WeighedSource(source, weighing, threads)), weighing};
}

RowWeighing weighing_by(const FittedFunction& fit, double noise_scale) {
  return {fit, "robust", noise_scale};
}

}  // namespace kore
