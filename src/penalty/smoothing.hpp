#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

/// A block of columns with quadratic penalties of which only the shapes are known: their weights are solved
/// for.
struct SmoothTerm {
  std::size_t offset = 0;
  std::size_t columns = 0;
  /// Symmetric and positive semidefinite, `columns * columns` each; their sum leaves no direction free.
  std::vector<std::vector<double>> penalties;
  bool may_vanish = false;  ///< Left out once next to nothing of it is left.
  /// Where the iteration starts, one for each penalty; empty: a fixed share of the term's own Gram.
  std::vector<double> first_weights = {};
};

/// Sums over rows, and nothing else: no further pass over the data is needed for any weight. Columns of no
/// term (the intercept) are not penalised. Terms do not overlap and come by rising offset.
struct SmoothingProblem {
  std::span<const double> gram;   ///< `p * p`, column-major; the lower triangle is read.
  std::span<const double> right;  ///< Products with the target.
  double target_squares = 0;
  double weight_sum = 0;  ///< Number of rows.
  std::vector<SmoothTerm> terms;
};

struct SmoothingOptions {
  /// At most, but for those it takes to solve again without a term that the last one has dropped; each costs
  /// two thirds of `p^3` operations on what is left.
  int iterations = 30;
  double tolerance = 0.1;  ///< Weights are settled when their logarithms change by less, ...
  /// ... or when all changes together likelihood_tolerance less of the restricted log-likelihood than this:
  /// where many terms have two penalties each, some trade them for each other for long without any effect.
  double likelihood_tolerance = 0.02;
  /// Binary logarithms of weights are multiples of this; 0: any number. Far below the tolerance, it keeps the
  /// rounding of sums, which depends on the order of rows, from growing on the way to the fixed point.
  double grain = 1.0 / 64;
  double vanished = 0.05;  ///< Effective parameters below which a term that may vanish does.
  double jitter = 1e-10;   ///< Added to the diagonal, in units of its mean.
  int threads = 1;
};

/// All of one solution: parameters and variance are those that the weights have.
struct Smoothing {
  std::vector<std::size_t> alive;  ///< Terms that are left.
  /// Of every term, alive or not, one for each of its penalties.
  std::vector<std::vector<double>> weights;
  std::vector<double> parameters;  ///< Effective number of each term; zero where it has vanished.
  std::vector<double> solution;    ///< Of every column; zero where a term has vanished.
  double variance = 0;             ///< Of the noise.
  int iterations = 0;
  bool settled = false;  ///< Before the iterations ran out. Where not, the weights are still usable.

  /// The weighted sum of the penalties of a term.
  std::vector<double> penalty(const SmoothTerm& term, std::size_t index) const;
};

/// The weights that maximise the restricted likelihood, by the generalised fixed point of Fellner and Schall:
/// with `S_t = sum_k w_k S_k` over the penalties of a term, `A = Gram + sum_t S_t`, and `sigma^2 = RSS / (n -
/// m_0 - sum edf)`, where `edf_t = m_t - tr(A^-1 S_t)` and `m_0` columns are not penalised, `w_k <- sigma^2
/// w_k (tr(S_t^-1 S_k) - tr(A^-1 S_k)) / (c' S_k c)`. Throws NotPositiveDefinite where no weight makes the
/// problem solvable.
Smoothing solve_smoothing(const SmoothingProblem& problem, const SmoothingOptions& options = {});

}  // namespace kore
