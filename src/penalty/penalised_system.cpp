#include "penalty/penalised_system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

constexpr std::size_t worth_eliminating = 8;  // a diagonal block of at least one column in so many

/// The inverse of a sum of penalties. Their weights may differ so much that it is singular to rounding.
std::vector<double> inverse(std::vector<double> matrix, std::size_t size) {
  constexpr double share = 1e-11;
  add_to_diagonal(matrix, size, share * trace(matrix, size) / static_cast<double>(size));
  const Cholesky cholesky(std::move(matrix), size);
  return lower_gram(cholesky.inverse_factor(), size);
}

std::vector<double> at_columns(std::span<const double> values, std::span<const std::size_t> columns) {
  std::vector<double> chosen;
  for (const std::size_t column : columns) chosen.push_back(values[column]);
  return chosen;
}

}  // namespace

PenalisedSystem::PenalisedSystem(const SmoothingProblem& problem, double jitter,
                                 const SmoothingOptions& options)
    : problem_(problem),
      threads_(options.threads),
      negligible_share_(options.negligible_share),
      p_(problem.right.size()),
      jitter_(jitter) {}

/// How many columns of a term hardly matter at its present weight. Beside a penalty of weight `w` a column of
/// the Gram entry `s` has at most `s / (s + w)` effective parameters. The weakest columns come first.
std::size_t PenalisedSystem::negligible_columns(const Smoothing& state, std::size_t term) const {
  const SmoothTerm& own = problem_.terms[term];
  if (!own.unit_penalty || !own.strongest_last || negligible_share_ == 0) return 0;
  const double weight = state.weights[term].front();
  const auto parameters = [&](std::size_t i) {
    const double strength = std::max(problem_.gram[(own.offset + i) * (p_ + 1)], 0.0);
    return strength / (strength + weight);
  };
  double left = 0;
  for (std::size_t i = 0; i < own.columns; ++i) left += negligible_share_ * parameters(i);
  std::size_t count = 0;
  while (count + 1 < own.columns && (left -= parameters(count)) >= 0) ++count;
  return count;
}

/// The largest term whose block is diagonal, where that makes a step much faster.
std::optional<std::size_t> PenalisedSystem::term_to_eliminate(const Smoothing& state) const {
  std::optional<std::size_t> largest;
  std::size_t columns = 0;
  for (const std::size_t t : state.alive) {
    const SmoothTerm& term = problem_.terms[t];
    columns += term.columns;
    if (term.diagonal && (!largest || term.columns > problem_.terms[*largest].columns)) largest = t;
  }
  return largest && worth_eliminating * problem_.terms[*largest].columns >= columns ? largest : std::nullopt;
}

/// Columns of no term, then those of the terms that are left, in their order; without those of the eliminated
/// term.
void PenalisedSystem::choose_columns(const Smoothing& state) {
  std::vector<char> belongs(p_, 0);
  for (const SmoothTerm& term : problem_.terms)
    std::fill_n(belongs.begin() + static_cast<std::ptrdiff_t>(term.offset), term.columns, 1);
  columns_.clear();
  for (std::size_t i = 0; i < p_; ++i)
    if (belongs[i] == 0) columns_.push_back(i);
  free_columns_ = columns_.size();
  places_.clear();
  for (const std::size_t t : state.alive) {
    places_.push_back({t, columns_.size(), t == eliminated_ ? 0 : negligible_columns(state, t)});
    if (t == eliminated_) continue;
    for (std::size_t i = places_.back().first; i < problem_.terms[t].columns; ++i)
      columns_.push_back(problem_.terms[t].offset + i);
  }
}

double PenalisedSystem::gram_at(std::size_t i, std::size_t j) const {
  return problem_.gram[std::min(i, j) * p_ + std::max(i, j)];
}

std::vector<double> PenalisedSystem::assemble(const Smoothing& state) const {
  const std::size_t size = columns_.size();
  std::vector<double> matrix(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = j; i < size; ++i) matrix[j * size + i] = gram_at(columns_[i], columns_[j]);
    matrix[j * size + j] += jitter_;
  }
  for (const auto& [t, at, left_out] : places_) {
    if (t == eliminated_) continue;
    const SmoothTerm& term = problem_.terms[t];
    if (term.unit_penalty) {
      for (std::size_t j = at; j < at + term.columns - left_out; ++j)
        matrix[j * size + j] += state.weights[t].front();
      continue;
    }
    const std::vector<double> penalty = state.penalty(term, t);
    for (std::size_t j = 0; j < term.columns; ++j)
      for (std::size_t i = j; i < term.columns; ++i)
        matrix[(at + j) * size + at + i] += penalty[j * term.columns + i];
  }
  return matrix;
}

/// The term's own block, and its products with the columns that are left.
DiagonalBlock PenalisedSystem::eliminate(const Smoothing& state, std::vector<double>& matrix) const {
  const SmoothTerm& term = problem_.terms[*eliminated_];
  std::vector<double> diagonal;
  std::vector<double> coupling;
  for (std::size_t i = term.offset; i < term.offset + term.columns; ++i) {
    diagonal.push_back(gram_at(i, i) + jitter_ + state.weights[*eliminated_].front());
    for (const std::size_t column : columns_) coupling.push_back(gram_at(i, column));
  }
  return {diagonal, std::move(coupling), matrix, threads_};
}

/// Where there is almost no noise, the weights are almost zero too, and a nearly singular matrix may not have
/// a factor because of rounding. Then the least multiple of the identity that is enough is added.
void PenalisedSystem::factor(const Smoothing& state) {
  constexpr double raise = 10;
  constexpr int raises = 6;
  for (int attempt = 0;; ++attempt) {
    try {
      std::vector<double> matrix = assemble(state);
      if (eliminated_) block_ = eliminate(state, matrix);
      cholesky_ = Cholesky(std::move(matrix), columns_.size(), threads_);
      return;
    } catch (const NotPositiveDefinite&) {
      if (attempt == raises) throw;
      jitter_ *= raise;
      raised_ *= raise;
    }
  }
}

void PenalisedSystem::solve(const Smoothing& state) {
  eliminated_ = term_to_eliminate(state);
  choose_columns(state);
  factor(state);
  const std::vector<double> right = at_columns(problem_.right, columns_);
  explained_ = 0;
  eliminated_coefficients_.clear();
  if (eliminated_) {
    const SmoothTerm& term = problem_.terms[*eliminated_];
    const auto own = problem_.right.subspan(term.offset, term.columns);
    std::vector<double> reduced = right;
    block_->reduce(own, reduced);
    coefficients_ = cholesky_.solve(reduced);
    eliminated_coefficients_ = block_->solve(own, coefficients_);
    explained_ = std::inner_product(own.begin(), own.end(), eliminated_coefficients_.begin(), explained_);
  } else {
    coefficients_ = cholesky_.solve(right);
  }
  explained_ = std::inner_product(right.begin(), right.end(), coefficients_.begin(), explained_);
}

void PenalisedSystem::factor_in_order(const Smoothing& state) {
  if (!eliminated_) return;
  eliminated_.reset();
  choose_columns(state);
  factor(state);
  coefficients_ = cholesky_.solve(at_columns(problem_.right, columns_));
  half_ = cholesky_.inverse_factor(threads_);
}

double PenalisedSystem::jitter_squares() const {
  return jitter_ * (squared_norm(coefficients_) + squared_norm(eliminated_coefficients_));
}

/// A term whose penalty is the identity: of its block of A^-1 only the trace is needed.
TermStep PenalisedSystem::look_at_unit_penalty(const Smoothing& state, const Place& place) const {
  const std::size_t m = problem_.terms[place.term].columns - place.first;
  const std::size_t size = columns_.size();
  const bool eliminated = place.term == eliminated_;
  double used = 0;
  if (eliminated) used = block_->inverse_trace(half_, threads_);
  for (std::size_t j = place.at; j < place.at + m && !eliminated; ++j)
    used += squared_norm(std::span(half_).subspan(j * size + j, size - j));  // zeros above
  const auto own =
      eliminated ? std::span(eliminated_coefficients_) : std::span(coefficients_).subspan(place.at, m);
  const double free = static_cast<double>(m) - state.weights[place.term].front() * used;
  return {free, {squared_norm(own)}, {free}};
}

/// Only the term's own block of A^-1 is needed. It follows from the term's columns of L^-1.
TermStep PenalisedSystem::look_at(const Smoothing& state, const Place& place) const {
  const SmoothTerm& term = problem_.terms[place.term];
  if (term.unit_penalty) return look_at_unit_penalty(state, place);
  const std::size_t size = columns_.size();
  const std::size_t m = term.columns;
  if (m == 0) return {};
  std::vector<double> block(m * m);
  const double* own = half_.data() + place.at * size + place.at;  // zeros above
  inner_product(own, m, size, own, m, size, size - place.at, block.data(), m);
  const std::vector<double> prior =
      term.penalties.size() > 1 ? inverse(state.penalty(term, place.term), m) : std::vector<double>{};
  const auto own_coefficients = std::span(coefficients_).subspan(place.at, m);
  TermStep step;
  step.parameters = static_cast<double>(m);
  for (std::size_t k = 0; k < term.penalties.size(); ++k) {
    const double weight = state.weights[place.term][k];
    const double used = trace_of_product(block, term.penalties[k]);
    const double all =
        prior.empty() ? static_cast<double>(m) / weight : trace_of_product(prior, term.penalties[k]);
    step.parameters -= weight * used;
    step.free_parameters.push_back(weight * (all - used));
    step.roughness.push_back(quadratic_form(term.penalties[k], own_coefficients));
  }
  return step;
}

std::vector<TermStep> PenalisedSystem::look_at_terms(const Smoothing& state) {
  half_ = cholesky_.inverse_factor(threads_);
  std::vector<TermStep> steps(places_.size());
  parallel_for(places_.size(), columns_.size() < columns_worth_threads ? 1 : threads_,
               [&](std::size_t i) { steps[i] = look_at(state, places_[i]); });
  return steps;
}

std::vector<double> PenalisedSystem::solution() const {
  std::vector<double> all(p_);
  for (std::size_t i = 0; i < columns_.size(); ++i) all[columns_[i]] = coefficients_[i];
  return all;
}

}  // namespace kore
