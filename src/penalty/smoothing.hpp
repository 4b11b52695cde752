#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace kore {

/// A block of columns with quadratic penalties. The matrices are given; their weights are solved for.
struct SmoothTerm {
  std::size_t offset = 0;
  std::size_t columns = 0;
  /// Symmetric and positive semidefinite, `columns * columns` each; their sum is positive definite.
  std::vector<std::vector<double>> penalties;
  bool may_vanish =
      false;  ///< Dropped once its effective parameters fall below `SmoothingOptions::vanished`.
  /// Where the iteration starts, one for each penalty; empty: a fixed share of the term's own Gram.
  std::vector<double> first_weights = {};
  bool unit_penalty = false;  ///< Its one penalty is the identity.
  /// Its columns with the larger Gram entries come last, as in the basis of `strong_directions`.
  bool strongest_last = false;
  /// Besides, its own block of the Gram matrix is diagonal to rounding. Steps are faster where such a term is
  /// large.
  bool diagonal = false;
};

/// The sums over working rows from which weights are solved for; no further pass over the data is needed.
/// Columns that belong to no term (the intercept) are not penalised. Terms do not overlap and are sorted by
/// offset.
struct SmoothingProblem {
  std::span<const double> gram;   ///< `p * p`, column-major; the lower triangle is read.
  std::span<const double> right;  ///< Products with the working target.
  double target_squares = 0;      ///< Of the working target, with the working weights.
  double count_sum = 0;           ///< Number of rows.
  std::vector<SmoothTerm> terms;
  /// Where the response knows it; otherwise it is estimated beside the weights.
  std::optional<double> known_dispersion = {};
};

struct SmoothingOptions {
  /// The most steps. If the last one drops a term, further steps follow, to solve again without it. A step
  /// costs two thirds of `p^3` operations with the columns that are left.
  int iterations = 30;
  int settling_steps = 3;  ///< The fewest, before terms are dropped or the iteration may end.
  double tolerance = 0.1;  ///< Weights are settled when their logarithms change by less, ...
  /// ... or when all further changes together are expected to raise the restricted log-likelihood by less
  /// than this. The two weights of a main effect can compensate each other over many steps without any
  /// effect.
  double likelihood_tolerance = 0.02;
  /// Binary logarithms of weights are rounded to multiples of this; 0: no rounding. It is far below the
  /// tolerance, and keeps rounding errors of the sums, which depend on the order of rows, from growing in the
  /// iteration.
  double grain = 1.0 / 64;
  /// Of the effective parameters that a term with a unit penalty and the strongest columns last could have by
  /// itself at the present weight: its weakest columns that together have no more are left out of a step.
  double negligible_share = 0;
  double vanished = 0.05;  ///< Effective parameters below which a term that may vanish does.
  double jitter = 1e-10;   ///< Added to the diagonal, in units of its mean.
  int threads = 1;
};

/// The solution. Parameters, coefficients and variance belong to the final weights.
struct Smoothing {
  std::vector<std::size_t> alive;  ///< Terms that are left.
  /// Of every term, alive or not, one for each of its penalties.
  std::vector<std::vector<double>> weights;
  std::vector<double> parameters;  ///< Effective number of each term; zero where it has vanished.
  std::vector<double> solution;    ///< Of every column; zero where a term has vanished.
  /// The columns of no term, then those of the terms that are left, without those that were left out of the
  /// last step.
  std::vector<std::size_t> columns;
  /// `L^-1` of `A = L L'` at the final weights, over these columns: lower triangular, column-major.
  std::vector<double> inverse_factor;
  double variance = 0;  ///< Of the noise: the dispersion, known or estimated.
  int iterations = 0;
  bool settled = false;      ///< Before the iterations ran out. Where not, the weights are still usable.
  double raised_jitter = 0;  ///< What `jitter` had to be raised to; 0: it was enough.

  /// The weighted sum of the penalties of a term.
  std::vector<double> penalty(const SmoothTerm& term, std::size_t index) const;
};

/// The weights that maximise the restricted likelihood, by the generalised fixed point of Fellner and Schall:
/// with `S_t = sum_k w_k S_k` over the penalties of a term, `A = Gram + sum_t S_t`, and `sigma^2 = RSS / (n -
/// m_0 - sum edf)` unless it is known, where `edf_t = m_t - tr(A^-1 S_t)` and `m_0` columns are not
/// penalised, `w_k <- sigma^2 w_k (tr(S_t^-1 S_k) - tr(A^-1 S_k)) / (c' S_k c)`. Throws NotPositiveDefinite
/// where no weight makes the problem solvable.
Smoothing solve_smoothing(const SmoothingProblem& problem, const SmoothingOptions& options = {});

}  // namespace kore
