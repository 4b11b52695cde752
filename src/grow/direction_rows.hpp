#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "design/transform.hpp"
#include "grow/stage.hpp"
#include "penalty/directions.hpp"

namespace kore {

/// The solved columns of a design's terms, combined into directions.
struct DirectionBasis {
  Design design;
  std::vector<TermMap> maps;
  std::vector<Directions> directions;  ///< One per term.
  std::vector<std::size_t> offsets;    ///< Of each term's directions; the intercept is the first column.
  std::size_t columns = 1;

  /// The function with these coefficients of the directions.
  FittedFunction function_of(std::span<const double> coefficients) const;
  /// Only the given terms and, of their directions, the given columns; both are in rising order. The
  /// directions of a term that are left out are its weakest.
  DirectionBasis restricted_to(std::span<const std::size_t> terms, std::span<const std::size_t> columns,
                               Design left) const;
};

/// All rows of the data in such a basis, in memory: dense rows, each times the root of its working weight.
struct DirectionRows {
  DirectionBasis basis;
  std::vector<double> rows;    ///< `[row][column]`
  std::vector<double> target;  ///< Working targets, times the same roots.
  std::vector<double> roots;   ///< Of the working weights.
  double weight_sum = 0;       ///< These four are sums over working rows, as in NormalEquations.
  double count_sum = 0;
  double target_sum = 0;
  double target_squares = 0;

  /// Leaves out the other columns, which are in rising order.
  void keep_columns(std::span<const std::size_t> columns);
};

/// Writes each interaction in its strong directions: those that have at least `negligible` effective
/// parameters beside its penalty, at the weight that the term starts from. Main effects, and terms without a
/// weight, keep all columns. Costs a few operations per row and column, and as many per squared column of
/// single terms; memory for all rows.
DirectionRows direction_rows(const GrowingData& data, const Design& design, std::span<const GrownTerm> terms,
                             double negligible);
/// The directions alone.
DirectionBasis direction_basis(const GrowingData& data, const Design& design,
                               std::span<const GrownTerm> terms, double negligible);
/// These rows in a basis that other rows may have found.
DirectionRows rows_in(const GrowingData& data, DirectionBasis basis);

/// `R'R` (the lower triangle) and `R'y` for these rows `R`.
struct Products {
  std::vector<double> matrix;
  std::vector<double> right;
};
Products products_of(const DirectionRows& rows, int threads);

}  // namespace kore
