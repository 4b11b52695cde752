#include "fit/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit/family_accuracy.hpp"
#include "fit/residual_quantiles.hpp"
#include "fit/robust_rows.hpp"
#include "response/robust.hpp"

namespace kore {
namespace {

constexpr double line_rows = 10;   // of no slope that the slope of the line is drawn towards
constexpr double group_rows = 30;  // likewise of a group's mean error
constexpr std::size_t rows_per_group = 50;
constexpr std::size_t most_groups = 12;
constexpr double outer_share = 0.02;     // of the rows on either side, beyond which the line stays level
constexpr double smallest_spread = 0.2;  // of the mean

// Gross errors, in deviations of the noise as its median tells it:
constexpr double far_errors = 10;        // beyond which an error may be gross,
constexpr double large_errors = 5;       // and beyond which one is large.
constexpr double apart_from = 3;         // times as many gross errors as there are between both limits
constexpr std::size_t fewest_gross = 3;  // fewer may be chance
constexpr double most_gross = 0.2;       // of the rows; more are no exceptions

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// The rows by rising prediction.
std::vector<std::size_t> by_prediction(const HeldOut& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return rows.prediction[r]; });
  return order;
}

double error(const HeldOut& rows, std::size_t r) { return std::abs(rows.target[r] - rows.prediction[r]); }

/// A line through the absolute errors, as a multiple of their mean.
class ErrorLine {
 public:
  ErrorLine(const HeldOut& rows, const std::vector<std::size_t>& order) {
    const double weight = total(rows.weight);
    double mean_error = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      centre_ += rows.weight[r] * rows.prediction[r] / weight;
      mean_error += rows.weight[r] * error(rows, r) / weight;
    }
    double squares = 0;
    double products = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double distance = rows.prediction[r] - centre_;
      squares += rows.weight[r] * distance * distance;
      products += rows.weight[r] * distance * (error(rows, r) - mean_error);
    }
    const double drawn = squares * (1 + line_rows / weight);
    if (drawn > 0 && mean_error > 0) slope_ = products / drawn / mean_error;
    const auto outer = static_cast<std::size_t>(outer_share * static_cast<double>(order.size()));
    lowest_ = rows.prediction[order[outer]];
    highest_ = rows.prediction[order[order.size() - 1 - outer]];
  }

  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  double operator()(double prediction) const {
    return std::max(1 + slope_ * (std::clamp(prediction, lowest_, highest_) - centre_), smallest_spread);
  }

 private:
  double centre_ = 0;
  double slope_ = 0;
  double lowest_ = 0;
  double highest_ = 0;
};

/// Most rows have the same target, as where events are rare: their errors say nothing about those of others.
bool most_targets_are_equal(std::vector<double> targets) {
  if (targets.empty()) return true;
  const std::size_t half = targets.size() / 2;
  std::ranges::nth_element(targets, targets.begin() + static_cast<std::ptrdiff_t>(half));
  const double median = targets[half];  // what more than half of them share is their median
  return 2 * static_cast<std::size_t>(std::ranges::count(targets, median)) > targets.size();
}

struct Group {
  double prediction = 0;  ///< Its mean.
  double error = 0;       ///< Mean absolute error over the line.
};

std::vector<Group> groups_of(const HeldOut& rows, const std::vector<std::size_t>& order,
                             const ErrorLine& line) {
  double mean = 0;
  for (std::size_t r = 0; r < rows.size(); ++r)
    mean += rows.weight[r] * error(rows, r) / line(rows.prediction[r]) / total(rows.weight);
  const std::size_t count = std::min(most_groups, rows.size() / rows_per_group);
  std::vector<Group> groups;
  for (std::size_t g = 0; g < count && mean > 0; ++g) {
    double weight = 0;
    double predictions = 0;
    double errors = 0;
    for (std::size_t i = g * order.size() / count; i < (g + 1) * order.size() / count; ++i) {
      const std::size_t r = order[i];
      weight += rows.weight[r];
      predictions += rows.weight[r] * rows.prediction[r];
      errors += rows.weight[r] * error(rows, r) / line(rows.prediction[r]);
    }
    if (weight > 0)
      groups.push_back({predictions / weight, (errors / mean + group_rows) / (weight + group_rows)});
  }
  return groups;
}

double between_groups(const std::vector<Group>& groups, double prediction) {
  if (groups.empty()) return 1;
  const auto after = std::ranges::upper_bound(groups, prediction, {}, &Group::prediction);
  if (after == groups.begin()) return groups.front().error;
  if (after == groups.end()) return groups.back().error;
  const Group& before = *(after - 1);
  const double share = (prediction - before.prediction) / (after->prediction - before.prediction);
  return before.error + share * (after->error - before.error);
}

}  // namespace

void HeldOut::add(double row_target, double row_prediction, double row_weight) {
  if (!(row_weight > 0)) return;
  target.push_back(row_target);
  prediction.push_back(row_prediction);
  weight.push_back(row_weight);
}

Accuracy accuracy_of(const HeldOut& rows, const Response& response) {
  Accuracy accuracy;
  accuracy.rows = rows.size();
  const double weight = total(rows.weight);
  if (!(weight > 0)) return accuracy;
  double mean = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) mean += rows.weight[r] * rows.target[r] / weight;
  double squares = 0;
  double variance = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    squares += rows.weight[r] * std::pow(rows.target[r] - rows.prediction[r], 2) / weight;
    accuracy.mae += rows.weight[r] * error(rows, r) / weight;
    variance += rows.weight[r] * std::pow(rows.target[r] - mean, 2) / weight;
  }
  accuracy.rmse = std::sqrt(squares);
  accuracy.r2 = variance > 0 ? 1 - squares / variance : 0;
  if (has_link(response))
    accuracy.family = family_accuracy(rows, response);
  else
    accuracy.gross_errors = gross_errors_of(rows);
  return accuracy;
}

std::size_t gross_errors_of(const HeldOut& rows) {
  if (most_targets_are_equal(rows.target)) return 0;
  std::vector<double> errors;
  for (std::size_t r = 0; r < rows.size(); ++r) errors.push_back(error(rows, r));
  const double scale = noise_scale_of(errors, rows.weight);
  std::size_t gross = 0;
  std::size_t between = 0;
  double squares = 0;
  double gross_squares = 0;
  for (std::size_t r = 0; r < errors.size(); ++r) {
    const double square = rows.weight[r] * errors[r] * errors[r];
    squares += square;
    if (errors[r] > far_errors * scale) {
      ++gross;
      gross_squares += square;
    } else if (errors[r] > large_errors * scale) {
      ++between;
    }
  }
  const auto share =
      static_cast<double>(gross) / static_cast<double>(std::max<std::size_t>(errors.size(), 1));
  const bool apart = static_cast<double>(gross) > apart_from * static_cast<double>(between);
  return gross >= fewest_gross && share < most_gross && apart && 2 * gross_squares > squares ? gross : 0;
}

RobustFit robust_fit_of(const HeldOut& rows, double noise_scale, bool settled) {
  RobustFit fit;
  fit.scale = noise_scale;
  fit.rows = rows.size();
  fit.settled = settled;
  std::vector<double> counts;
  double mean = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double factor = robust_weight(error(rows, r) / noise_scale);
    if (factor < 0.5) ++fit.discounted;
    counts.push_back(rows.weight[r] * factor);
    mean += counts[r] * rows.target[r];
  }
  mean /= total(counts);
  double squares = 0;
  double variance = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    squares += counts[r] * std::pow(error(rows, r), 2);
    variance += counts[r] * std::pow(rows.target[r] - mean, 2);
  }
  fit.r2 = variance > 0 ? 1 - squares / variance : 0;
  return fit;
}

ResidualSpread spread_of(const HeldOut& rows) {
  if (rows.size() < 2) return {};
  const std::vector<std::size_t> order = by_prediction(rows);
  const ErrorLine line(rows, order);
  if (!(line.lowest() < line.highest())) return {};
  const std::vector<Group> groups = groups_of(rows, order, line);
  std::vector<double> places{line.lowest()};
  for (const Group& group : groups)
    if (group.prediction > places.back() && group.prediction < line.highest())
      places.push_back(group.prediction);
  places.push_back(line.highest());
  ResidualSpread spread;
  for (const double place : places) {
    spread.predictions.push_back(place);
    spread.scales.push_back(std::max(line(place) * between_groups(groups, place), smallest_spread));
  }
  return spread;
}

std::vector<double> error_quantiles(const HeldOut& rows, const ResidualSpread& spread) {
  std::vector<WeightedResidual> errors;
  for (std::size_t r = 0; r < rows.size(); ++r)
    errors.push_back({(rows.target[r] - rows.prediction[r]) / spread(rows.prediction[r]), rows.weight[r]});
  return residual_quantiles(std::move(errors));
}

}  // namespace kore
