#pragma once

#include <vector>

#include "design/transform.hpp"
#include "kore/smoother.hpp"
#include "kore/statistics.hpp"

namespace kore {

/// The least-squares problem in the solved layout: `matrix = T' Gram_raw T` (column-major, both triangles)
/// and `right = T' B_raw'Wy`.
struct NormalEquations {
  std::vector<TermMap> maps;
  std::vector<double> matrix;
  std::vector<double> right;
};

NormalEquations normal_equations(const GramAccumulator& gram, int threads);

/// Adds ridge and penalties to the matrix. Throws `invalid_argument` for a negative ridge or a penalty of the
/// wrong size.
void penalise(const Design& design, const SmootherOptions& options, std::vector<double>& matrix);

}  // namespace kore
