#pragma once

#include <span>
#include <vector>

#include "design/transform.hpp"
#include "kore/smoother.hpp"
#include "kore/statistics.hpp"

namespace kore {

/// The least-squares problem in the solved layout: `matrix = T' Gram_raw T` (column-major; only the lower
/// triangle is filled) and `right = T' B_raw'Wy`.
struct NormalEquations {
  std::vector<TermMap> maps;
  std::vector<double> matrix;
  std::vector<double> right;
  double weight_sum = 0;      ///< `sum w`, of the working weights.
  double count_sum = 0;       ///< Sum of the rows' counts: the `n` of every formula.
  double target_sum = 0;      ///< `sum w y`, with working targets.
  double target_squares = 0;  ///< `sum w y^2`
};

NormalEquations normal_equations(const GramAccumulator& gram, int threads);

/// The same fit as that of a GramAccumulator, from equations that were computed before.
Smoother solve_equations(Design design, NormalEquations equations, const SmootherOptions& options);

/// Whether passes of dense rows are cheaper than those of local products, for that many rows.
bool dense_is_cheaper(const Design& design, std::size_t rows);

/// The equations of a design with only the given terms, which are in rising order.
NormalEquations restrict_to(const Design& design, const NormalEquations& equations,
                            std::span<const std::size_t> terms);

/// `T' B_raw'Wy`, with the intercept's.
std::vector<double> solved_products(const GramAccumulator& gram, const std::vector<TermMap>& maps);

/// Adds ridge and penalties to the matrix and returns the ridge as an absolute number. Throws
/// `invalid_argument` for a negative ridge or a penalty of the wrong size.
double penalise(const Design& design, const SmootherOptions& options, std::vector<double>& matrix);

}  // namespace kore
