#include "penalty/smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "kore/solve.hpp"

namespace kore {
namespace {

constexpr double smallest_weight = 1e-12;
constexpr double largest_weight = 1e14;
constexpr double largest_step = 1e3;         // of a weight, so that the first steps do not overshoot
constexpr double first_share = 0.1;          // of a term's own Gram that its first penalty amounts to
constexpr double smallest_residual = 1e-12;  // of the target's square sum: below it is rounding
constexpr int settling_steps = 3;            // before terms are dropped or the weights are believed

class FixedPoint {
 public:
  FixedPoint(const SmoothingProblem& problem, const SmoothingOptions& options)
      : problem_(problem), options_(options), p_(problem.right.size()) {
    double trace = 0;
    for (std::size_t i = 0; i < p_; ++i) trace += problem.gram[i * p_ + i];
    jitter_ = options.jitter * trace / static_cast<double>(p_);
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
      const SmoothTerm& term = problem.terms[t];
      double own = 0;
      double penalty = 0;
      for (std::size_t i = 0; i < term.columns; ++i) {
        own += problem.gram[(term.offset + i) * p_ + term.offset + i];
        penalty += term.penalty[i * term.columns + i];
      }
      result_.weights.push_back(std::clamp(first_share * own / penalty, smallest_weight, largest_weight));
      result_.alive.push_back(t);
    }
    result_.parameters.resize(problem.terms.size());
  }

  Smoothing run() {
    for (int step = 0; step < options_.iterations; ++step) {
      solve();
      const double change = update();
      result_.iterations = step + 1;
      const bool dropped = step + 1 >= settling_steps && drop_vanished();
      result_.settled = !dropped && step + 1 >= settling_steps && change < options_.tolerance;
      if (result_.settled) break;
    }
    solve();
    spread_solution();
    return std::move(result_);
  }

 private:
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
      for (std::size_t j = 0; j < term.columns; ++j)
        for (std::size_t i = j; i < term.columns; ++i)
          matrix[(at + j) * size + at + i] += result_.weights[t] * term.penalty[j * term.columns + i];
    }
    return matrix;
  }

  void solve() {
    choose_columns();
    cholesky_ = Cholesky(assemble(), columns_.size(), options_.threads);
    std::vector<double> right;
    for (const std::size_t column : columns_) right.push_back(problem_.right[column]);
    coefficients_ = cholesky_.solve(right);
    explained_ = std::inner_product(right.begin(), right.end(), coefficients_.begin(), 0.0);
  }

  double roughness(const Place& place) const {
    const SmoothTerm& term = problem_.terms[place.term];
    double total = 0;
    for (std::size_t j = 0; j < term.columns; ++j)
      for (std::size_t i = 0; i < term.columns; ++i)
        total +=
            term.penalty[j * term.columns + i] * coefficients_[place.at + j] * coefficients_[place.at + i];
    return total;
  }

  // `tr(A^-1 S)` over the columns of a term: only this block of the inverse is needed, and it is made of the
  // term's columns of L^-1.
  double penalised_trace(const Place& place, const std::vector<double>& half) const {
    const std::size_t size = columns_.size();
    const SmoothTerm& term = problem_.terms[place.term];
    double total = 0;
    for (std::size_t j = 0; j < term.columns; ++j)
      for (std::size_t i = j; i < term.columns; ++i) {
        const double penalty = term.penalty[j * term.columns + i];
        if (penalty == 0) continue;
        const double* a = half.data() + (place.at + j) * size;
        const double* b = half.data() + (place.at + i) * size;
        const std::size_t from = place.at + i;  // zeros above
        const double entry = std::inner_product(a + from, a + size, b + from, 0.0);
        total += (i == j ? 1 : 2) * penalty * entry;
      }
    return total;
  }

  // New weights from the present solution; the largest change of a logarithm among terms that matter.
  double update() {
    const std::vector<double> half = cholesky_.inverse_factor(options_.threads);
    std::vector<double> rough(places_.size());
    std::vector<double> effective(places_.size());
    parallel_for(places_.size(), options_.threads, [&](std::size_t i) {
      const std::size_t t = places_[i].term;
      rough[i] = roughness(places_[i]);
      effective[i] = static_cast<double>(problem_.terms[t].columns) -
                     result_.weights[t] * penalised_trace(places_[i], half);
    });
    double penalties = 0;
    double used = static_cast<double>(free_columns_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      penalties += result_.weights[places_[i].term] * rough[i];
      used += effective[i];
    }
    for (const double c : coefficients_) penalties += jitter_ * c * c;
    // From A c = r: the residual sum of squares without another product with the Gram matrix.
    const double rss = std::max(problem_.target_squares - explained_ - penalties,
                                smallest_residual * problem_.target_squares);
    result_.variance = rss / std::max(problem_.weight - used, 1.0);
    double change = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::size_t t = places_[i].term;
      const double old = result_.weights[t];
      const double wanted = result_.variance * std::max(effective[i], 1e-8) / std::max(rough[i], 1e-300);
      const double next = std::clamp(std::clamp(wanted, old / largest_step, old * largest_step),
                                     smallest_weight, largest_weight);
      if (effective[i] > options_.vanished) change = std::max(change, std::abs(std::log(next / old)));
      result_.weights[t] = next;
      result_.parameters[t] = effective[i];
    }
    return change;
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
  std::vector<std::size_t> columns_;
  std::size_t free_columns_ = 0;
  std::vector<Place> places_;
  Cholesky cholesky_;
  std::vector<double> coefficients_;
  double explained_ = 0;
  Smoothing result_;
};

}  // namespace

Smoothing solve_smoothing(const SmoothingProblem& problem, const SmoothingOptions& options) {
  return FixedPoint(problem, options).run();
}

}  // namespace kore
