#pragma once

#include <cstddef>
#include <vector>

#include "kore/design.hpp"

namespace kore {

/// What the penalties of a term are made of. A main effect is held to a straight line by its second
/// differences and, much more weakly, to zero. An interaction is held to a plane in every direction, and to
/// zero.
struct RoughnessOptions {
  double main_shrinkage = 1e-3;
  double interaction_shrinkage = 0.1;
};

/// The shape of the penalty of one term on its solved columns, symmetric and positive definite, `m * m`.
///
/// A solved column is a function of a coordinate less its mean, the last function left out. Because functions
/// add up to one, coefficients of all functions that differ by a constant are the same effect: the penalty is
/// that of the smallest of them, so that it does not matter which function was left out.
std::vector<double> term_roughness(const Design& design, std::size_t term,
                                   const RoughnessOptions& options = {});

}  // namespace kore
