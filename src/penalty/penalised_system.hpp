#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "kore/solve.hpp"
#include "penalty/diagonal_block.hpp"
#include "penalty/smoothing.hpp"

namespace kore {

/// What one step of the iteration needs to know about a term.
struct TermStep {
  double parameters = 0;                // effective number
  std::vector<double> roughness;        // c' S_k c
  std::vector<double> free_parameters;  // tr(S^-1 S_k) - tr(A^-1 S_k)
};

/// The penalised equations `A c = r` of a smoothing problem at given weights: factored, solved, and looked at
/// term by term. A large diagonal block is eliminated first, which changes nothing but the time it takes.
class PenalisedSystem {
 public:
  /// A term that is left, and where its columns begin; of the eliminated term, the place has no meaning.
  struct Place {
    std::size_t term = 0;
    std::size_t at = 0;
    std::size_t first = 0;  ///< Columns of the term before this one are left out.
  };

  PenalisedSystem(const SmoothingProblem& problem, double jitter, const SmoothingOptions& options);

  /// Solves for the terms of `state.alive` at `state.weights`. Throws NotPositiveDefinite where no small
  /// multiple of the identity makes a factor possible.
  void solve(const Smoothing& state);
  /// Of every term that is left, in their order; after `solve`.
  std::vector<TermStep> look_at_terms(const Smoothing& state);
  /// The factor of all columns in their order, which callers of the iteration need.
  void factor_in_order(const Smoothing& state);

  std::span<const Place> places() const { return places_; }
  /// Of the problem, in the order of the factor.
  const std::vector<std::size_t>& columns() const { return columns_; }
  std::size_t free_columns() const { return free_columns_; }
  /// What of the target's squares the coefficients explain, `r' c`, and what the jitter takes of them.
  double explained() const { return explained_; }
  double jitter_squares() const;
  double jitter() const { return jitter_; }
  double raised() const { return raised_; }  ///< How often the jitter has grown, as a factor.
  /// Coefficients of every column of the problem; zero where a term has vanished.
  std::vector<double> solution() const;
  std::vector<double> take_inverse_factor() { return std::move(half_); }

 private:
  std::optional<std::size_t> term_to_eliminate(const Smoothing& state) const;
  std::size_t negligible_columns(const Smoothing& state, std::size_t term) const;
  void choose_columns(const Smoothing& state);
  std::vector<double> assemble(const Smoothing& state) const;
  double gram_at(std::size_t i, std::size_t j) const;
  DiagonalBlock eliminate(const Smoothing& state, std::vector<double>& matrix) const;
  void factor(const Smoothing& state);
  TermStep look_at_unit_penalty(const Smoothing& state, const Place& place) const;
  TermStep look_at(const Smoothing& state, const Place& place) const;

  const SmoothingProblem& problem_;
  int threads_;
  double negligible_share_;
  std::size_t p_;
  double jitter_;
  double raised_ = 1;
  std::vector<std::size_t> columns_;
  std::size_t free_columns_ = 0;
  std::vector<Place> places_;
  std::optional<std::size_t> eliminated_;  // the term that is eliminated before the others are solved for
  std::optional<DiagonalBlock> block_;
  Cholesky cholesky_;
  std::vector<double> half_;  // L^-1
  std::vector<double> coefficients_;
  std::vector<double> eliminated_coefficients_;
  double explained_ = 0;
};

}  // namespace kore
