#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"
#include "kore/solve.hpp"
#include "kore/statistics.hpp"

namespace kore {

struct NormalEquations;

/// A quadratic penalty on the solved columns of one term: `weight * c' matrix c` is added to the
/// least-squares problem.
struct TermPenalty {
  std::size_t term = 0;
  std::vector<double> matrix;  ///< Symmetric, `term_columns * term_columns`.
  double weight = 1;
};

struct SmootherOptions {
  /// Added to the diagonal of the normal equations in the solved layout, so that they have a solution even
  /// where columns depend on each other. The paper's value is absolute; a relative ridge is a multiple of the
  /// mean diagonal entry.
  double ridge = 1e-8;
  bool relative_ridge = false;
  std::vector<TermPenalty> penalties;
  /// Leverages come from the inverse matrix while `max_i A_ii (A^-1)_ii` is below this, which costs them
  /// about as many digits as this has zeros; beyond it from triangular solves, which keep all digits and cost
  /// `p^2` operations per row.
  double inverse_limit = 1e8;
  /// Prepare for leave-one-out. Costs about twice the factorisation; without it `press` gives residuals only.
  bool leverages = true;
  /// All leverages from dense rows. Cheaper than local products where many coarse terms overlap.
  bool dense_leverages = false;
  int threads = 1;
};

/// A penalised least-squares fit as a linear smoother: coefficients, and leave-one-out of any of its rows
/// from this single fit (paper, eq. 14 and appendix "Derivation of the PRESS leave-one-out identity"). Holds
/// no rows.
class Smoother {
 public:
  /// Solves `(B'WB + ridge I + penalties) c = B'Wy`. Throws NotPositiveDefinite, naming the term, where that
  /// has no solution.
  explicit Smoother(const GramAccumulator& gram, const SmootherOptions& options = {});
  /// The same from equations that are there already.
  Smoother(Design design, NormalEquations equations, const SmootherOptions& options);
  ~Smoother();
  Smoother(Smoother&&) noexcept;
  Smoother& operator=(Smoother&&) noexcept;

  /// The fit as bytes, so that its leverages can be found where the rows are. They hold the triangular
  /// factor; what else leverages need is made of it again, for `2/3 p^3` operations at most.
  std::vector<std::byte> serialize() const;
  static Smoother deserialize(std::span<const std::byte> bytes, int threads = 1);

  const Design& design() const;
  /// Coefficients of the paper's columns.
  const std::vector<double>& solution() const;
  /// The same function in the raw layout: a constant and a coefficient for every raw function.
  double intercept() const;
  const std::vector<double>& coefficients() const;
  /// The diagonal of `(B'WB + ridge I + penalties)^-1`; empty without `leverages`.
  const std::vector<double>& inverse_diagonal() const;
  /// `T (B'WB + ridge I + penalties)^-1 T'` of each given term's raw functions, square: times the variance of
  /// the noise, how uncertain its coefficients are. Costs `p^3 / 3` operations for all of them together.
  std::vector<std::vector<double>> covariances(std::span<const std::size_t> terms, int threads = 1) const;
  /// Leverages come from local products with the inverse; false where the problem is so ill-conditioned that
  /// triangular solves are used.
  bool well_conditioned() const;

  /// The columns depend on each other so nearly that rounding in the Gram matrix shows in the coefficients.
  bool wants_refinement() const;
  /// One step of refinement: `residuals` holds the products of the functions with the residuals of this fit
  /// over all its rows (a GramAccumulator of the same design with GramBlocks::none and residuals in place of
  /// the target). It removes what rounding in the Gram matrix has added to the solution.
  void refine(const GramAccumulator& residuals);

  /// Residuals and leverages of rows that the fit has seen, added up.
  PressSums press(const RowBlock& block, int threads = 1, const PressRows& rows = {}) const;

 private:
  struct State;
  explicit Smoother(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kore
