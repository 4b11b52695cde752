#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kore::experiments {

/// Two coordinates, counted from 0, that may interact.
using Pair = std::pair<std::size_t, std::size_t>;

/// A function to be learned.
struct Target {
  std::string name;
  std::size_t dimension = 0;
  std::function<double(std::span<const double>)> value;  ///< At one point of `dimension` coordinates.
  /// The graph the experiments hand to the pairwise family: the target's interacting pairs, or neighbours
  /// where it has none.
  std::vector<Pair> pairs;
};

/// (first, first+1), (first+2, first+3), ... as far as both lie below `dimension`.
std::vector<Pair> neighbour_pairs(std::size_t dimension, std::size_t first = 0);

/// The target at every row of a row-major table. Throws `invalid_data` unless the rows have the target's
/// dimension.
std::vector<double> evaluate(const Target& target, std::span<const double> rows);

// The makers below draw the target's constants from `Generator(seed)`, and throw `invalid_argument` for
// dimension 0.

/// A sum of one sine and one slow cosine per coordinate (paper, eq. f_add).
Target additive_target(std::size_t dimension, std::uint64_t seed);

/// Interactions along the neighbour pairs with weaker main effects (paper, eq. f_pair).
Target pairwise_target(std::size_t dimension, std::uint64_t seed);

/// Interactions of the triples (0,1,2), (3,4,5), ..., which no pairwise model can represent.
Target three_way_target(std::size_t dimension, std::uint64_t seed);

/// One step per coordinate, from minus to plus its weight: additive, but not smooth.
Target non_smooth_target(std::size_t dimension, std::uint64_t seed);

/// SparseAdd-20D: five sines among twenty coordinates.
Target sparse_additive_target();

/// SparsePair-10D: the pairwise target in ten dimensions with seed 7.
Target sparse_pairwise_target();

}  // namespace kore::experiments
