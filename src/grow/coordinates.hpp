#pragma once

#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

/// A feature as the default profile uses it.
struct Coordinate {
  Feature feature;  ///< With its warp and its repeated values, and as a line where it has two values.
  /// The finest resolution that its distinct values can determine; 0 where it has one value and no effect.
  int finest = 0;

  /// The coarsest resolution that can follow anything.
  int coarsest() const;
};

/// Gives every spline feature a warp halfway between its range and its distribution in `rows` (all rows or a
/// sample), so that knots follow the data; none where the distribution is nearly even. `features` has names,
/// ranges and kinds. If the ranges come from the rows, their ends are values of the feature. If the caller
/// gave them, they say nothing about the values: then there is no warp, and knots are evenly spaced in the
/// range. The range of a cyclic feature is its period, in which knots are evenly spaced too. `finest` has the
/// largest resolution of each feature, or 0; it may be empty.
enum class RangesOf { rows, caller };
std::vector<Coordinate> coordinates_of(std::vector<Feature> features, const RowBlock& rows,
                                       RangesOf ranges = RangesOf::rows, int threads = 1,
                                       std::span<const int> finest = {});

std::vector<Feature> features_of(std::span<const Coordinate> coordinates);

/// A term of these features at `resolution`, or at the finest (coarsest) resolution of a feature where that
/// is smaller (larger).
Term term_at(std::span<const Coordinate> coordinates, std::vector<std::size_t> features, int resolution);

}  // namespace kore
