#include "grow/iterated_fit.hpp"

#include <cmath>
#include <utility>

#include "stats/linear_form.hpp"

namespace kore {
namespace {

constexpr int most_halvings = 8;
constexpr double too_far = 1.1;  // times the loss before; penalties may raise it a little

std::vector<double> values_of(const FittedFunction& fit, const GrowingData& data) {
  std::vector<double> values(data.rows.rows());
  evaluate_rows(fit.design, fit.intercept, fit.coefficients, Extrapolation::linear, data.rows.x, values,
                data.threads);
  return values;
}

double loss_at(const GrowingData& data, std::span<const double> predictor) {
  double sum = 0;
  for (std::size_t r = 0; r < predictor.size(); ++r)
    if (data.rows.weight(r) > 0)
      sum += data.rows.weight(r) * data.response->loss(data.rows.y[r], predictor[r]);
  return sum;
}

/// Halfway back, as often as it takes for the loss not to rise.
double shorten(const GrowingData& data, std::span<const double> from, double loss, std::vector<double>& to) {
  double next = loss_at(data, to);
  for (int halving = 0; halving < most_halvings && !(next <= too_far * loss); ++halving) {
    for (std::size_t r = 0; r < to.size(); ++r) to[r] = (to[r] + from[r]) / 2;
    next = loss_at(data, to);
  }
  return next;
}

}  // namespace

Stage iterate(const GrowingData& data, const Iteration& iteration, const FitStep& step) {
  if (data.response->fits_in_one_step()) return step(data, nullptr);
  GrowingData at = data;
  at.leave_rows_out = false;
  std::vector<double> predictor = predictors_of(data);
  double loss = loss_at(data, predictor);
  Stage stage;
  bool settled = false;
  for (int count = 0; count < iteration.steps && !settled; ++count) {
    stage = step(at, count == 0 ? nullptr : &stage);
    std::vector<double> next = values_of(*stage.function, at);
    const double next_loss = shorten(data, predictor, loss, next);
    const double unit = data.response->known_dispersion().value_or(next_loss / weight_sum_of(data.rows));
    settled = std::abs(next_loss - loss) <= iteration.tolerance * unit;
    loss = next_loss;
    predictor = std::move(next);
    at.predictor = std::make_shared<const std::vector<double>>(predictor);
  }
  at.leave_rows_out = data.leave_rows_out;
  stage = step(at, &stage);
  stage.predictor = at.predictor;
  if (iteration.must_settle) stage.convergence.settled = stage.convergence.settled && settled;
  return stage;
}

}  // namespace kore
