#pragma once

#include <cstddef>
#include <span>

#include "kore/warp.hpp"

namespace kore {

/// Where the rows of a feature lie. A few values far outside this range must not decide where knots lie.
struct Body {
  double lowest = 0;
  double highest = 0;
};

/// The range that holds all but the outer hundredth of the rows (and at least one) on either side, widened by
/// half its length on either side (more below forty rows) and cut to the values: all of a uniform
/// distribution, and nearly always all of a normal one. The whole range below twenty rows, and where nearly
/// all values are equal. `sorted` and `weights` as below.
Body body_of(std::span<const double> sorted, std::span<const double> weights = {});

/// A warp between the straight line over the range (`mix` 0) and the distribution function of the values
/// (`mix` 1). `sorted` holds the values in rising order, `weights` how many rows each of them counts for;
/// empty: one. The warp has at most `intervals` pieces, and two more for the tails.
///
/// Values outside the body are compressed. Beyond it the line over the range goes on like a logarithm, and a
/// tail has at most a hundredth of the body's length, and a hundredth more for each of its rows. So a
/// handful of rows neither stretch the knots nor own a function.
Warp distribution_warp(std::span<const double> sorted, std::span<const double> weights = {}, double mix = 0.5,
                       std::size_t intervals = 64);

}  // namespace kore
