#include "experiments/honesty/outcome.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "experiments/averages.hpp"
#include "kore/fit.hpp"
#include "solve/dense.hpp"

namespace kore::experiments::honesty {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<std::size_t> by_prediction(const std::vector<double>& predicted) {
  std::vector<std::size_t> order(predicted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return predicted[r]; });
  return order;
}

}  // namespace

Truth truth_of(const std::vector<double>& predicted, std::span<const Interval> intervals,
               const std::vector<double>& target) {
  const auto share_covered = [&](std::span<const std::size_t> rows) {
    const auto inside =
        std::ranges::count_if(rows, [&](std::size_t r) { return intervals[r].covers(target[r]); });
    return static_cast<double>(inside) / static_cast<double>(rows.size());
  };
  const std::vector<std::size_t> order = by_prediction(predicted);
  const std::size_t tenth = std::max<std::size_t>(1, order.size() / 10);
  return {.rmse = root_mean_square_error(predicted, target),
          .covered = share_covered(order),
          .covered_bottom = share_covered(std::span(order).first(tenth)),
          .covered_top = share_covered(std::span(order).last(tenth))};
}

Outcome measure(const StudyRows& train, const StudyRows& fresh, const RowCounts& weights) {
  Options options = train.features;
  options.threads = 1;
  const auto start = Clock::now();
  const Model model = fit(MemorySource(train.view(), train.y, weights), options);
  Outcome outcome;
  outcome.seconds = seconds_since(start);
  outcome.stated = stated_by(model);
  outcome.predicted = predict(model, fresh.view());
  const auto intervals = intervals_at(model, fresh.view(), outcome.predicted, interval_level);
  outcome.truth = truth_of(outcome.predicted, intervals, fresh.y);
  return outcome;
}

Outcome measure_ridge(const StudyRows& train, const StudyRows& fresh) {
  const auto start = Clock::now();
  const Ridge ridge = fit_ridge(train.view(), train.y, usual_penalties());
  Outcome outcome;
  outcome.seconds = seconds_since(start);
  const std::vector<double>& residuals = ridge.left_out_residuals;
  outcome.stated.rmse = std::sqrt(squared_norm(residuals) / static_cast<double>(residuals.size()));
  outcome.predicted = ridge.predict(fresh.view());
  const double lower = quantile(residuals, (1 - interval_level) / 2);
  const double upper = quantile(residuals, (1 + interval_level) / 2);
  std::vector<Interval> intervals;
  for (const double value : outcome.predicted) intervals.push_back({value + lower, value + upper});
  outcome.truth = truth_of(outcome.predicted, intervals, fresh.y);
  return outcome;
}

}  // namespace kore::experiments::honesty
