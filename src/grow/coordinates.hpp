#pragma once

#include <span>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"

namespace kore {

/// A feature as the default profile sees it.
struct Coordinate {
  Feature feature;  ///< With its warp, and as a line where it has two values.
  /// The finest resolution its distinct values can tell apart; 0 where it has one value only and no effect.
  int finest = 0;
};

/// Looks at the rows (or a sample of them) and maps every spline halfway between its range and its
/// distribution, so that knots follow the data, unless that is nearly even. `features` brings names, ranges
/// and kinds. Ranges are those over all rows, so that their ends are values, or somebody has given them: then
/// they say nothing about the values, and knots stay evenly spaced in them.
enum class RangesOf { rows, caller };
std::vector<Coordinate> coordinates_of(std::vector<Feature> features, const RowBlock& rows,
                                       RangesOf ranges = RangesOf::rows, int threads = 1);

std::vector<Feature> features_of(std::span<const Coordinate> coordinates);

/// A term of these features at `resolution`, or as fine as each of them allows.
Term term_at(std::span<const Coordinate> coordinates, std::vector<std::size_t> features, int resolution);

}  // namespace kore
