#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace kore {

/// Combinations of the columns of a term: `columns * kept`, column-major. An empty map keeps the columns as
/// they are, unless the directions are levels.
struct Directions {
  std::size_t columns = 0;
  std::size_t kept = 0;
  std::vector<double> map = {};
  std::vector<double> left_out = {};  ///< Strengths of the directions that are not kept.
  /// Not empty: the columns are indicators without the last one, less these means, and the directions are all
  /// indicators as they are.
  std::vector<double> level_means = {};

  /// The most effective parameters that the directions left out could have beside a penalty of this weight.
  double missing_parameters(double weight) const;

  /// The last `count` of those that are kept.
  Directions strongest(std::size_t count) const;

  bool are_levels() const { return !level_means.empty(); }
  /// Their penalty is the identity.
  bool have_unit_penalty() const { return !map.empty() || are_levels(); }

  static Directions all(std::size_t columns) { return {columns, columns, {}, {}, {}}; }
  /// Indicators of levels: the penalty of their effects is the spread around their mean, which is the size of
  /// as many effects beside a free intercept. So no eigenvalues are needed, and over any rows the Gram matrix
  /// is diagonal.
  static Directions levels(std::vector<double> means) {
    return {means.size(), means.size() + 1, {}, {}, std::move(means)};
  }
};

/// The directions in which the penalty of a term is the identity and its Gram matrix diagonal, without those
/// whose Gram entry, their strength, is below `least`. Beside a penalty of weight `w`, a direction of
/// strength `s` has at most `s / (s + w)` effective parameters; of a fine tensor product most have almost
/// none. Of `gram` the lower triangle is read. The strongest direction is always kept. Costs about `10 m^3`
/// operations for `m` columns.
Directions strong_directions(std::vector<double> gram, std::vector<double> penalty, double least);

}  // namespace kore
