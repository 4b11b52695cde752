#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/response.hpp"
#include "kore/rows.hpp"
#include "kore/solve.hpp"
#include "kore/statistics.hpp"

namespace kore {

// A penalised least-squares fit to the working rows of a response, which for the normal response are the
// rows themselves. With the design matrix `B`, the working weights `W` and the penalties of each term added
// up into a block diagonal matrix `S`, it minimises
//
//     sum_i w_i (y_i - b_i'c)^2 + ridge |c|^2 + c'S c,
//
// so that `A c = B'Wy` with `A = B'WB + ridge I + S`. It is a linear smoother: fitted values are a matrix
// times the target, and `w_i h_i` with the leverage `h_i = b_i' A^-1 b_i` is the weight of a row in its own
// fitted value. Their sum is the effective number of parameters.
//
// Leave-one-out needs no second fit: with the residual `e_i = y_i - b_i'c`, the fit to all rows but `i`
// predicts `y_i` with the error `e_i / (1 - w_i h_i)` (paper, eq. 14 and appendix "Derivation of the PRESS
// leave-one-out identity"). This is exact for a given design, ridge and penalties.

/// A quadratic penalty on the solved columns `c` of one term: `weight * c' matrix c` is added to the sum of
/// squares that is minimised.
struct TermPenalty {
  std::size_t term = 0;
  std::vector<double> matrix;  ///< Symmetric, `term_columns * term_columns`.
  double weight = 1;
};

struct SmootherOptions {
  /// Added to the diagonal of the normal equations in the solved layout, so that they have a unique solution
  /// even where columns depend on each other. The paper's value is absolute; a relative ridge is a multiple
  /// of the mean diagonal entry.
  double ridge = 1e-8;
  bool relative_ridge = false;
  std::vector<TermPenalty> penalties;
  /// While `max_i A_ii (A^-1)_ii` is below this limit, leverages come from the inverse matrix. They may lose
  /// about as many digits as the limit has zeros. Above it they come from triangular solves, which keep all
  /// digits and cost `p^2` operations per row.
  double inverse_limit = 1e8;
  /// Prepare for leave-one-out. Costs about twice the factorisation; without it leverages count as zero,
  /// so that `press` gives residuals, and plain losses where left-out ones are asked for.
  bool leverages = true;
  /// Compute all leverages from dense rows. Cheaper than local products where many coarse terms overlap.
  bool dense_leverages = false;
  /// Whose working rows the sums are made of, and whose losses `press` adds up.
  const Response* response = &normal_response();
  /// The predictor of the constant model, from which gains are measured. Nothing: the mean of the working
  /// target, which is right for responses without a link.
  std::optional<double> constant_predictor = {};
  int threads = 1;
};

/// The fit that the head of this file describes: coefficients, and leave-one-out of any of its rows. Holds no
/// rows. Costs about `p^3` operations with leverages, and a third of that without.
class Smoother {
 public:
  /// Solves `A c = B'Wy`. Throws NotPositiveDefinite, naming the term, where `A` is not positive definite.
  explicit Smoother(const GramAccumulator& gram, const SmootherOptions& options = {});
  ~Smoother();
  Smoother(Smoother&&) noexcept;
  Smoother& operator=(Smoother&&) noexcept;

  /// The fit as bytes, so that its leverages can be computed where the rows are. They hold the triangular
  /// factor. Reading computes the rest from it, for at most `2/3 p^3` operations.
  std::vector<std::byte> serialize() const;
  static Smoother deserialize(std::span<const std::byte> bytes, int threads = 1);

  const Design& design() const;
  const Response& response() const;
  /// Coefficients `c` of the solved columns.
  const std::vector<double>& solution() const;
  /// The same function in the raw layout: a constant and a coefficient for every raw function.
  double intercept() const;
  const std::vector<double>& coefficients() const;
  /// The diagonal of `A^-1`; empty without `leverages`.
  const std::vector<double>& inverse_diagonal() const;
  /// The blocks of `A^-1` that belong to the solved columns of each given term, square. Costs `p^3 / 3`
  /// operations for all of them together.
  std::vector<std::vector<double>> inverse_blocks(std::span<const std::size_t> terms, int threads = 1) const;
  /// The blocks of `T A^-1 T'` that belong to the raw functions of each given term, square. Times the noise
  /// variance, a block is the posterior covariance of the term's raw coefficients. Costs the same.
  std::vector<std::vector<double>> covariances(std::span<const std::size_t> terms, int threads = 1) const;
  /// Overwrites each of the `count` columns of `columns` (as long as the design has columns) by `L^-1
  /// column`, where `A = L L'`. Inner products of the results are those with `A^-1` between.
  void half_solve(std::span<double> columns, std::size_t count) const;
  /// Leverages come from local products with the inverse matrix. False where the problem is so
  /// ill-conditioned that triangular solves are used, with dense leverages, and without leverages.
  bool uses_inverse() const;

  /// The columns are so nearly dependent that rounding in the Gram matrix shows in the coefficients.
  bool wants_refinement() const;
  /// One step of iterative refinement. `residuals` holds the products of the functions with the residuals of
  /// this fit over all its rows: a GramAccumulator of the same design with GramBlocks::none, and residuals in
  /// place of the target. It removes the error that rounding in the Gram matrix has caused in the solution.
  void refine(const GramAccumulator& residuals);

  /// Adds up losses, left-out losses and leverages of rows that the fit has seen.
  PressSums press(const RowBlock& block, int threads = 1, const PressRows& rows = {}) const;

 private:
  struct State;
  friend struct SmootherMaker;  // makes one of normal equations that were computed before
  explicit Smoother(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kore
