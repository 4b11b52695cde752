#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

/// Solves `[D B'; B C] [x; y] = [r; s]` where the first block `D` is diagonal, by eliminating it first. With
/// `m` columns there and `q` others, a factor and what it is needed for cost `q^3` and `q^2 m` operations
/// instead of
/// `(q + m)^3`. The effects of single values are such a block, and often the largest of a model.
class DiagonalBlock {
 public:
  /// `coupling` is `B`, `q * m` and column-major. Turns the lower triangle of `rest`, which is `C`, into
  /// that of `C - B D^-1 B'`. The entries of `diagonal` are positive.
  DiagonalBlock(std::span<const double> diagonal, std::vector<double> coupling, std::span<double> rest,
                int threads);

  /// Turns `s` into `s - B D^-1 r`.
  void reduce(std::span<const double> own_right, std::span<double> right) const;
  /// `x` for a given `y`.
  std::vector<double> solve(std::span<const double> own_right, std::span<const double> solution) const;
  /// The trace of this block of the inverse, from the inverse Cholesky factor of what `rest` became.
  double inverse_trace(const std::vector<double>& inverse_factor, int threads) const;

 private:
  std::size_t others_;         // q
  std::vector<double> roots_;  // of 1 / D
  std::vector<double> half_;   // B D^-1/2
};

}  // namespace kore
