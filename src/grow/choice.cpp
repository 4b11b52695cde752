#include "grow/choice.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kore {
namespace {

constexpr double standard_errors = 1;
constexpr double bending = 1.05;  // effective parameters of a main effect beyond those of a line
// A weight that maximises the likelihood adapts to the noise. If the strongest directions of a term keep the
// share `s` of their size, the fit has `2 (1 - s)` parameters more than with a fixed weight. For a term that
// hardly pays, `s` is about a quarter.
constexpr double weight_parameters = 1.5;

/// How many penalty weights the rows have chosen: those of interactions, and of main effects that are not
/// straight lines. Without penalties, one: the resolution.
double chosen_weights(const Stage& stage) {
  if (stage.penalties.empty()) return 1;
  return static_cast<double>(std::ranges::count_if(stage.terms, [](const GrownTerm& grown) {
    return grown.term.order() > 1 || grown.parameters > bending;
  }));
}

/// Whether `next` predicts left-out rows better than `now` by more than a standard error of the difference
/// and the difference of their prices. Where losses are heavy-tailed, a few rows cause the whole difference;
/// the standard error is then large.
bool clearly_better(const Stage& next, const Stage& now, const RowBlock& rows) {
  const auto gain = [&](std::size_t r) { return now.left_out_losses[r] - next.left_out_losses[r]; };
  const double weight = weight_sum_of(rows);
  double mean = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) mean += rows.weight(r) * gain(r);
  mean /= weight;
  double squares = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) squares += rows.weight(r) * std::pow(gain(r) - mean, 2);
  const double reach = standard_errors * std::sqrt(squares) / weight;
  return mean - std::max(price_of(next) - price_of(now), 0.0) > reach;
}

/// Compares two stages of the same order. Where there is almost no noise, penalties only add bias, and the
/// lower left-out loss wins. Otherwise a fit without penalties must be clearly better, because it has no
/// valid bands.
bool better_of_its_order(const Stage& next, const Stage& now, const GrowingData& data) {
  const bool lower = next.loo() + price_of(next) < now.loo() + price_of(now);
  const bool penalties_alike = next.penalties.empty() == now.penalties.empty();
  if (penalties_alike || almost_noise_free(std::min(next.loo(), now.loo()), data)) return lower;
  return next.penalties.empty() ? clearly_better(next, now, data.rows)
                                : !clearly_better(now, next, data.rows);
}

}  // namespace

double noise_share(double loo, const GrowingData& data) {
  double loss = data.within_squares;
  for (std::size_t r = 0; r < data.rows.rows(); ++r)
    if (data.rows.weight(r) > 0)
      loss += data.rows.weight(r) * data.response->loss(data.rows.y[r], data.constant_predictor);
  return loss > 0 ? loo * weight_sum_of(data.rows) / loss : 1;
}

bool almost_noise_free(double loo, const GrowingData& data) {
  constexpr double almost_none = 0.01;
  return data.rows.groups.empty() && data.response->fits_in_one_step() &&
         noise_share(loo, data) < almost_none;
}

double price_of(const Stage& stage) {
  return 2 * stage.noise_variance / stage.press.weight_sum *
         (weight_parameters * chosen_weights(stage) + stage.chance_gain);
}

std::size_t choose_stage(std::span<const Stage> stages, std::size_t lines, bool interactions_only,
                         const GrowingData& data) {
  std::vector<std::size_t> best_of_order;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (interactions_only && stages[i].order() == 1) continue;
    const bool first = best_of_order.empty() || best_of_order.back() < lines ||
                       stages[best_of_order.back()].order() != stages[i].order();
    if (first)
      best_of_order.push_back(i);
    else if (better_of_its_order(stages[i], stages[best_of_order.back()], data))
      best_of_order.back() = i;
  }
  std::size_t chosen = best_of_order.empty() ? 0 : best_of_order.front();
  for (const std::size_t i : best_of_order)
    if (clearly_better(stages[i], stages[chosen], data.rows)) chosen = i;
  return chosen;
}

}  // namespace kore
