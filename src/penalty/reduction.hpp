#pragma once

#include <cstddef>
#include <vector>

#include "penalty/smoothing.hpp"

namespace kore {

/// A smaller problem with nearly the same solution. In a basis in which the Gram matrix of a term is diagonal
/// and its penalty is the identity, the penalty dominates the data in most columns of a fine tensor product.
/// These columns are left out.
struct ReducedProblem {
  std::vector<double> gram;
  std::vector<double> right;
  SmoothingProblem problem;  ///< Its spans refer to the two vectors above.
};

/// In every term with a single penalty and a first weight, leaves out the directions whose Gram entry is
/// below `negligible` times that weight. Each of them has fewer than `negligible` effective parameters.
/// Costs about `p^2` times the size of the largest term.
ReducedProblem reduce(const SmoothingProblem& problem, double negligible, int threads);

}  // namespace kore
