#pragma once

#include <span>

#include "kore/options.hpp"

namespace kore {

/// The columns of the largest model that a fit to so many rows (or so much weight) may try: what memory has
/// to be there for before it starts. Features need kinds and levels only.
std::size_t most_columns(std::span<const Feature> features, const Options& options, double rows);

}  // namespace kore
