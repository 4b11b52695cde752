#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kore/error.hpp"

namespace kore {

/// A factorisation met a pivot that is not positive, at `column()` (counted from 0).
class NotPositiveDefinite : public Error {
 public:
  explicit NotPositiveDefinite(std::size_t column);
  NotPositiveDefinite(std::size_t column, Message message)
      : Error(ErrorCode::not_positive_definite, std::move(message)), column_(column) {}
  std::size_t column() const noexcept { return column_; }

 private:
  std::size_t column_;
};

/// The Cholesky factor of a symmetric positive definite matrix, and what is computed with it. The one place
/// that talks to LAPACK.
///
/// Work is cut into tiles of fixed size, each done by one thread with single-threaded BLAS, so that the
/// result has the same bits on any number of threads.
class Cholesky {
 public:
  Cholesky() = default;
  /// Factors `matrix` (`size * size`, column-major; the lower triangle is read). Costs `size^3 / 3` flops.
  /// Throws NotPositiveDefinite where it is not.
  Cholesky(std::vector<double> matrix, std::size_t size, int threads = 1);
  /// A factor that is there already, such as one that was sent here.
  static Cholesky from_factor(std::vector<double> factor, std::size_t size) {
    Cholesky made;
    made.size_ = size;
    made.factor_ = std::move(factor);
    return made;
  }

  std::size_t size() const { return size_; }
  /// The lower triangular factor, column-major; what is above the diagonal is not defined.
  std::span<const double> factor() const { return factor_; }

  /// Solves `A x = b`.
  std::vector<double> solve(std::span<const double> right_hand_side) const;
  /// Overwrites each of the `count` columns of `columns` (each `size` long) by `L^-1 column`. Squared norms
  /// of the results are quadratic forms `b' A^-1 b` that keep their relative accuracy.
  void half_solve(std::span<double> columns, std::size_t count) const;
  /// `L^-1`, lower triangular, column-major, zeros above the diagonal.
  std::vector<double> inverse_factor(int threads = 1) const;

 private:
  std::size_t size_ = 0;
  std::vector<double> factor_;
};

/// `X' X` for a lower triangular `X` (`size * size`, column-major): with `X = L^-1` the inverse of `L L'`.
/// Both triangles are filled.
std::vector<double> lower_gram(std::span<const double> lower, std::size_t size, int threads = 1);

}  // namespace kore
