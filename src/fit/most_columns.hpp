#pragma once

#include <span>

#include "kore/options.hpp"

namespace kore {

/// The columns of the largest model that a fit to so many rows (or a weight sum of so much) may try, so that
/// memory can be checked before it starts. Features need only kinds and levels.
std::size_t most_columns(std::span<const Feature> features, const Options& options, double rows);

}  // namespace kore
