#pragma once

#include <cstddef>
#include <vector>

#include "penalty/smoothing.hpp"

namespace kore {

/// A smaller problem for the same weights. In the directions of a term in which its Gram matrix is diagonal
/// and its penalty is the identity, most of the columns of a fine tensor product hardly see the data beside
/// their penalty: they are left out.
struct ReducedProblem {
  std::vector<double> gram;
  std::vector<double> right;
  SmoothingProblem problem;  ///< Its spans look into the two vectors above.
};

/// Leaves out, of every term with a single penalty and a first weight, the directions whose Gram entry is
/// below `negligible` times that weight; each of them has fewer than `negligible` effective parameters.
/// Costs about `p^2` times the size of the largest term.
ReducedProblem reduce(const SmoothingProblem& problem, double negligible, int threads);

}  // namespace kore
