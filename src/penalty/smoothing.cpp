#include "penalty/smoothing.hpp"

#include <algorithm>
#include <cmath>

#include "penalty/penalised_system.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

constexpr double smallest_weight =
    1e-10;                              // in units of a term's own Gram: below it a weight has no effect ...
constexpr double largest_weight = 1e8;  // ... and above this one it acts as if infinite
constexpr double largest_step = 7;      // of a logarithm, so that the first steps do not overshoot
constexpr double first_share = 0.1;     // of a term's own Gram: the size of the penalty in the first step
constexpr double smallest_residual = 1e-12;  // of the target's square sum: below it is rounding
constexpr double held_share =
    0.2;  // of `vanished`: where a penalty leaves fewer free parameters, its weight stops growing

/// The fixed-point iteration is slow where a weight grows without end, or where one term replaces another. So
/// a weight whose logarithm keeps its direction takes longer and longer steps; when it turns, the steps are
/// normal again.
class Pace {
 public:
  double stretch(double step) {
    constexpr double growth = 1.5;
    constexpr double most = 6;
    factor_ = step * last_ > 0 ? std::min(factor_ * growth, most) : 1.0;
    last_ = step;
    return factor_ * step;
  }

 private:
  double factor_ = 1;
  double last_ = 0;
};

class FixedPoint {
 public:
  FixedPoint(const SmoothingProblem& problem, const SmoothingOptions& options)
      : problem_(problem),
        options_(options),
        p_(problem.right.size()),
        system_(problem, options.jitter * trace(problem.gram, p_) / static_cast<double>(p_), options) {
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
      const SmoothTerm& term = problem.terms[t];
      double own = 0;
      for (std::size_t i = 0; i < term.columns; ++i)
        own += problem.gram[(term.offset + i) * p_ + term.offset + i];
      std::vector<double> weights;
      units_.emplace_back();
      for (const auto& penalty : term.penalties) {
        units_.back().push_back(std::max(own, system_.jitter()) / trace(penalty, term.columns));
        weights.push_back(first_share * units_.back().back());
      }
      result_.weights.push_back(term.first_weights.empty() ? weights : term.first_weights);
      for (double& weight : result_.weights.back()) weight = on_grid(weight);
      result_.alive.push_back(t);
      paces_.emplace_back(term.penalties.size());
    }
    result_.parameters.resize(problem.terms.size());
  }

  Smoothing run() {
    for (;;) {
      system_.solve(result_);
      const std::vector<TermStep> steps = measure();
      const double change = wanted_change(steps);
      const bool believed = ++result_.iterations >= options_.settling_steps;
      const bool dropped = believed && drop_vanished();
      // The end comes before the weights change again: solution and parameters belong to the present weights.
      result_.settled = !dropped && believed &&
                        (change < options_.tolerance || expected_gain(steps) < options_.likelihood_tolerance);
      if (result_.settled || (!dropped && result_.iterations >= options_.iterations)) break;
      take(steps);
    }
    system_.factor_in_order(result_);
    if (system_.raised() > 1) result_.raised_jitter = system_.raised() * options_.jitter;
    result_.solution = system_.solution();
    result_.columns = system_.columns();
    result_.inverse_factor = system_.take_inverse_factor();
    return std::move(result_);
  }

 private:
  double on_grid(double weight) const {
    if (options_.grain == 0 || !(weight > 0)) return weight;
    return std::exp2(std::round(std::log2(weight) / options_.grain) * options_.grain);
  }

  std::size_t term_at(std::size_t place) const { return system_.places()[place].term; }

  // The residual sum of squares from A c = r, without another product with the Gram matrix.
  double residual_squares(const std::vector<TermStep>& steps) const {
    double penalties = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k)
        penalties += result_.weights[term_at(i)][k] * steps[i].roughness[k];
    penalties += system_.jitter_squares();
    return std::max(problem_.target_squares - system_.explained() - penalties,
                    smallest_residual * problem_.target_squares);
  }

  // Effective parameters and noise variance for the present weights.
  std::vector<TermStep> measure() {
    std::vector<TermStep> steps = system_.look_at_terms(result_);
    double used = static_cast<double>(system_.free_columns());
    for (const TermStep& step : steps) used += step.parameters;
    result_.variance = problem_.known_dispersion
                           ? *problem_.known_dispersion
                           : residual_squares(steps) / std::max(problem_.count_sum - used, 1.0);
    for (std::size_t i = 0; i < steps.size(); ++i) result_.parameters[term_at(i)] = steps[i].parameters;
    return steps;
  }

  // The logarithm of the next weight over the present one.
  double log_change(const TermStep& step, std::size_t term, std::size_t penalty) const {
    const double wanted = result_.variance * std::max(step.free_parameters[penalty], 1e-8) /
                          std::max(step.roughness[penalty], 1e-300);
    return std::log(wanted / result_.weights[term][penalty]);
  }

  // A weight that grows without end has soon made its term vanish; what then moves it is rounding. One that
  // falls without end, where there is almost no noise, has no effect any more.
  bool stays(const TermStep& step, std::size_t term, std::size_t penalty) const {
    constexpr double rounded = 1.02;  // a bound that was rounded to the grid
    const double unit = units_[term][penalty];
    const double weight = result_.weights[term][penalty];
    if (log_change(step, term, penalty) < 0) return weight <= rounded * smallest_weight * unit;
    return step.free_parameters[penalty] < held_share * options_.vanished ||
           weight * rounded >= largest_weight * unit;
  }

  // The largest change of a logarithm, among penalties that leave more than a negligible effect.
  double wanted_change(const std::vector<TermStep>& steps) const {
    double change = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k)
        if (steps[i].free_parameters[k] > options_.vanished && !stays(steps[i], term_at(i), k))
          change = std::max(change, std::abs(log_change(steps[i], term_at(i), k)));
    return change;
  }

  // The expected rise of the restricted log-likelihood, to second order. By the logarithm of a weight, its
  // slope is half of (free parameters - weight * roughness / sigma^2) and its curvature about half of the
  // free parameters.
  double expected_gain(const std::vector<TermStep>& steps) const {
    double gain = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k)
        if (!stays(steps[i], term_at(i), k))
          gain += std::max(steps[i].free_parameters[k], 0.0) / 4 *
                  std::pow(log_change(steps[i], term_at(i), k), 2);
    return gain;
  }

  void take(const std::vector<TermStep>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t t = term_at(i);
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k) {
        double& weight = result_.weights[t][k];
        if (stays(steps[i], t, k)) continue;
        const double step = paces_[t][k].stretch(log_change(steps[i], t, k));
        weight = on_grid(std::clamp(weight * std::exp(std::clamp(step, -largest_step, largest_step)),
                                    smallest_weight * units_[t][k], largest_weight * units_[t][k]));
      }
    }
  }

  bool drop_vanished() {
    return std::erase_if(result_.alive, [this](std::size_t t) {
             const bool gone = problem_.terms[t].may_vanish && !(result_.parameters[t] > options_.vanished);
             if (gone) result_.parameters[t] = 0;
             return gone;
           }) > 0;
  }

  const SmoothingProblem& problem_;
  const SmoothingOptions& options_;
  std::size_t p_;
  PenalisedSystem system_;
  std::vector<std::vector<Pace>> paces_;
  std::vector<std::vector<double>> units_;  // of the weights: a term's own Gram over each penalty
  Smoothing result_;
};

}  // namespace

std::vector<double> Smoothing::penalty(const SmoothTerm& term, std::size_t index) const {
  std::vector<double> total(term.columns * term.columns);
  for (std::size_t k = 0; k < term.penalties.size(); ++k)
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += weights[index][k] * term.penalties[k][i];
  return total;
}

Smoothing solve_smoothing(const SmoothingProblem& problem, const SmoothingOptions& options) {
  return FixedPoint(problem, options).run();
}

}  // namespace kore
