#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grow/direction_rows.hpp"
#include "grow/stage.hpp"

namespace kore {

/// The least-squares problem of a stage in the directions of its terms, without penalties.
struct DirectedEquations {
  DirectionBasis basis;
  Products products;

  /// The penalised fit with the weights of these terms, which are those of the basis. Costs a third of
  /// `r^3` operations for `r` directions.
  FittedFunction fit(std::span<const GrownTerm> terms, int threads) const;
};

/// A step towards the penalty weights leaves out the weakest directions of a term that together have no more
/// than this share of its effective parameters.
inline constexpr double negligible_direction_share = 0.005;

/// Sums over rows in some directions.
struct DirectionSums {
  Products products;
  double target_squares = 0;
  double count_sum = 0;
  bool diagonal = false;  ///< They are over the rows that found the directions.
};
/// Solving for the penalty weights of terms in their directions. Refers to the sums.
SmoothingProblem directed_problem(const Response& response, const DirectionBasis& basis,
                                  const DirectionSums& sums, std::span<const GrownTerm> terms);

/// `fit_penalised` where rows and terms overlap so much that dense rows are cheaper than local products:
/// interactions are fitted in their strong directions alone, a third to a half of their columns. The fit
/// differs by little from that in all columns, which `complete` makes, and costs a tenth of it.
/// Leave-one-out is exact for the directions.
Stage fit_in_directions(const GrowingData& data, const Design& design, std::span<const GrownTerm> terms);

}  // namespace kore
