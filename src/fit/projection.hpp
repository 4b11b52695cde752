#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

/// What functions of fewer features can say of an interaction: the least-squares fit of functions of all of
/// its features but one, for each of them, in the knots of the interaction.
struct Projection {
  /// For each feature that is left out, the place of a raw function of the interaction among the products of
  /// the other features' functions.
  std::vector<std::vector<std::size_t>> places;
  std::vector<std::size_t> offsets;  ///< Where the functions without each feature begin, and their number.
  /// From the coefficients of the interaction to those of all these functions, row by row.
  std::vector<double> matrix;

  std::size_t functions() const { return offsets.back(); }
};

/// `sizes` are the numbers of functions of the features, the last index fastest; `moments` is `sum w b b'
/// / sum w` over rows.
Projection project(std::span<const std::size_t> sizes, std::vector<double> moments, double independent_share);

}  // namespace kore
