#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

/// Combinations of the columns of a term: `columns * kept`, column-major. An empty map keeps the columns as
/// they are.
struct Directions {
  std::size_t columns = 0;
  std::size_t kept = 0;
  std::vector<double> map = {};
  std::vector<double> left_out = {};  ///< Strengths of the directions that are not kept.

  /// The most effective parameters that the directions left out could have beside a penalty of this weight.
  double missing_parameters(double weight) const;

  static Directions all(std::size_t columns) { return {columns, columns, {}, {}}; }
};

/// The directions in which the penalty of a term is the identity and its Gram matrix diagonal, without those
/// whose Gram entry, their strength, is below `least`. Beside a penalty of weight `w`, a direction of
/// strength `s` has at most `s / (s + w)` effective parameters; of a fine tensor product most have almost
/// none. Of `gram` the lower triangle is read. The strongest direction is always kept. Costs about `10 m^3`
/// operations for `m` columns.
Directions strong_directions(std::vector<double> gram, std::vector<double> penalty, double least);

}  // namespace kore
