#include "penalty/smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "kore/solve.hpp"
#include "solve/blas.hpp"
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
constexpr int settling_steps = 3;  // before terms are dropped or the iteration may end

/// The inverse of a sum of penalties. Their weights may differ so much that it is singular to rounding.
std::vector<double> inverse(std::vector<double> matrix, std::size_t size) {
  constexpr double share = 1e-11;
  add_to_diagonal(matrix, size, share * trace(matrix, size) / static_cast<double>(size));
  const Cholesky cholesky(std::move(matrix), size);
  return lower_gram(cholesky.inverse_factor(), size);
}

/// What one step needs to know about a term.
struct TermStep {
  double parameters = 0;                // effective number
  std::vector<double> roughness;        // c' S_k c
  std::vector<double> free_parameters;  // tr(S^-1 S_k) - tr(A^-1 S_k)
};

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
      : problem_(problem), options_(options), p_(problem.right.size()) {
    jitter_ = options.jitter * trace(problem.gram, p_) / static_cast<double>(p_);
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
      const SmoothTerm& term = problem.terms[t];
      double own = 0;
      for (std::size_t i = 0; i < term.columns; ++i)
        own += problem.gram[(term.offset + i) * p_ + term.offset + i];
      std::vector<double> weights;
      units_.emplace_back();
      for (const auto& penalty : term.penalties) {
        units_.back().push_back(std::max(own, jitter_) / trace(penalty, term.columns));
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
      solve();
      const std::vector<TermStep> steps = measure();
      const double change = wanted_change(steps);
      const bool believed = ++result_.iterations >= settling_steps;
      const bool dropped = believed && drop_vanished();
      // The end comes before the weights change again: solution and parameters belong to the present weights.
      result_.settled = !dropped && believed &&
                        (change < options_.tolerance || expected_gain(steps) < options_.likelihood_tolerance);
      if (result_.settled || (!dropped && result_.iterations >= options_.iterations)) break;
      take(steps);
    }
    spread_solution();
    return std::move(result_);
  }

 private:
  double on_grid(double weight) const {
    if (options_.grain == 0 || !(weight > 0)) return weight;
    return std::exp2(std::round(std::log2(weight) / options_.grain) * options_.grain);
  }

  struct Place {
    std::size_t term = 0;
    std::size_t at = 0;  // offset among the columns that are left
  };

  // Columns of no term, then those of the terms that are left, in their order.
  void choose_columns() {
    std::vector<char> belongs(p_, 0);
    for (const SmoothTerm& term : problem_.terms)
      std::fill_n(belongs.begin() + static_cast<std::ptrdiff_t>(term.offset), term.columns, 1);
    columns_.clear();
    for (std::size_t i = 0; i < p_; ++i)
      if (belongs[i] == 0) columns_.push_back(i);
    free_columns_ = columns_.size();
    places_.clear();
    for (const std::size_t t : result_.alive) {
      places_.push_back({t, columns_.size()});
      for (std::size_t i = 0; i < problem_.terms[t].columns; ++i)
        columns_.push_back(problem_.terms[t].offset + i);
    }
  }

  std::vector<double> assemble() const {
    const std::size_t size = columns_.size();
    std::vector<double> matrix(size * size);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = j; i < size; ++i) {
        const std::size_t row = std::max(columns_[i], columns_[j]);
        const std::size_t column = std::min(columns_[i], columns_[j]);
        matrix[j * size + i] = problem_.gram[column * p_ + row];
      }
      matrix[j * size + j] += jitter_;
    }
    for (const auto& [t, at] : places_) {
      const SmoothTerm& term = problem_.terms[t];
      const std::vector<double> penalty = result_.penalty(term, t);
      for (std::size_t j = 0; j < term.columns; ++j)
        for (std::size_t i = j; i < term.columns; ++i)
          matrix[(at + j) * size + at + i] += penalty[j * term.columns + i];
    }
    return matrix;
  }

  void solve() {
    choose_columns();
    factor();
    std::vector<double> right;
    for (const std::size_t column : columns_) right.push_back(problem_.right[column]);
    coefficients_ = cholesky_.solve(right);
    explained_ = std::inner_product(right.begin(), right.end(), coefficients_.begin(), 0.0);
  }

  // Where there is almost no noise, the weights are almost zero too, and a nearly singular matrix may not
  // have a factor because of rounding. Then the least multiple of the identity that is enough is added.
  void factor() {
    constexpr double raise = 10;
    constexpr int raises = 6;
    for (int attempt = 0;; ++attempt) {
      try {
        cholesky_ = Cholesky(assemble(), columns_.size(), options_.threads);
        return;
      } catch (const NotPositiveDefinite&) {
        if (attempt == raises) throw;
        jitter_ *= raise;
        raised_ *= raise;
        result_.raised_jitter = raised_ * options_.jitter;
      }
    }
  }

  // Only the term's own block of A^-1 is needed. It follows from the term's columns of L^-1.
  TermStep look_at(const Place& place, const std::vector<double>& half) const {
    const std::size_t size = columns_.size();
    const SmoothTerm& term = problem_.terms[place.term];
    const std::size_t m = term.columns;
    if (m == 0) return {};
    std::vector<double> block(m * m);
    const double* own = half.data() + place.at * size + place.at;  // zeros above
    inner_product(own, m, size, own, m, size, size - place.at, block.data(), m);
    const std::vector<double> prior =
        term.penalties.size() > 1 ? inverse(result_.penalty(term, place.term), m) : std::vector<double>{};
    const auto own_coefficients = std::span(coefficients_).subspan(place.at, m);
    TermStep step;
    step.parameters = static_cast<double>(m);
    for (std::size_t k = 0; k < term.penalties.size(); ++k) {
      const double weight = result_.weights[place.term][k];
      const double used = trace_of_product(block, term.penalties[k]);
      const double all =
          prior.empty() ? static_cast<double>(m) / weight : trace_of_product(prior, term.penalties[k]);
      step.parameters -= weight * used;
      step.free_parameters.push_back(weight * (all - used));
      step.roughness.push_back(quadratic_form(term.penalties[k], own_coefficients));
    }
    return step;
  }

  // The residual sum of squares from A c = r, without another product with the Gram matrix.
  double residual_squares(const std::vector<TermStep>& steps) const {
    double penalties = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k)
        penalties += result_.weights[places_[i].term][k] * steps[i].roughness[k];
    for (const double c : coefficients_) penalties += jitter_ * c * c;
    return std::max(problem_.target_squares - explained_ - penalties,
                    smallest_residual * problem_.target_squares);
  }

  // Effective parameters and noise variance for the present weights.
  std::vector<TermStep> measure() {
    result_.inverse_factor = cholesky_.inverse_factor(options_.threads);
    const std::vector<double>& half = result_.inverse_factor;
    std::vector<TermStep> steps(places_.size());
    parallel_for(places_.size(), columns_.size() < columns_worth_threads ? 1 : options_.threads,
                 [&](std::size_t i) { steps[i] = look_at(places_[i], half); });
    double used = static_cast<double>(free_columns_);
    for (const TermStep& step : steps) used += step.parameters;
    result_.variance = problem_.known_dispersion
                           ? *problem_.known_dispersion
                           : residual_squares(steps) / std::max(problem_.count_sum - used, 1.0);
    for (std::size_t i = 0; i < places_.size(); ++i)
      result_.parameters[places_[i].term] = steps[i].parameters;
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
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k)
        if (steps[i].free_parameters[k] > options_.vanished && !stays(steps[i], places_[i].term, k))
          change = std::max(change, std::abs(log_change(steps[i], places_[i].term, k)));
    return change;
  }

  // The expected rise of the restricted log-likelihood, to second order. By the logarithm of a weight, its
  // slope is half of (free parameters - weight * roughness / sigma^2) and its curvature about half of the
  // free parameters.
  double expected_gain(const std::vector<TermStep>& steps) const {
    double gain = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (std::size_t k = 0; k < steps[i].roughness.size(); ++k)
        if (!stays(steps[i], places_[i].term, k))
          gain += std::max(steps[i].free_parameters[k], 0.0) / 4 *
                  std::pow(log_change(steps[i], places_[i].term, k), 2);
    return gain;
  }

  void take(const std::vector<TermStep>& steps) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::size_t t = places_[i].term;
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

  void spread_solution() {
    result_.solution.assign(p_, 0.0);
    for (std::size_t i = 0; i < columns_.size(); ++i) result_.solution[columns_[i]] = coefficients_[i];
  }

  const SmoothingProblem& problem_;
  const SmoothingOptions& options_;
  std::size_t p_;
  double jitter_ = 0;
  double raised_ = 1;  // how much the jitter has grown
  std::vector<std::vector<Pace>> paces_;
  std::vector<std::vector<double>> units_;  // of the weights: a term's own Gram over each penalty
  std::vector<std::size_t> columns_;
  std::size_t free_columns_ = 0;
  std::vector<Place> places_;
  Cholesky cholesky_;
  std::vector<double> coefficients_;
  double explained_ = 0;
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
