#pragma once

#include <limits>

#include "grow/stage.hpp"
#include "kore/rows.hpp"
#include "pass/press_passes.hpp"
#include "solve/normal_equations.hpp"

namespace kore {

/// A structure that was chosen on a sample, fitted to all rows.
struct FullFit {
  std::vector<GrownTerm> terms;
  NormalEquations equations;  ///< Without penalties.
  Smoother smoother;
  PressSums press;
  double noise_variance = 0;  ///< The dispersion, known or as the restricted likelihood has it.
  double ridge = 0;
  Convergence convergence;
  HighLeverages high_leverages;
};

/// How fine terms may become for all rows.
struct FullFitLimits {
  std::size_t rows = 0;   ///< Of the whole table.
  double weight_sum = 0;  ///< Of its rows.
  int max_resolution_main = 64;
  int max_resolution_pair = 16;
  std::size_t max_columns = 2500;
  /// Of all interactions together.
  std::size_t interaction_columns = std::numeric_limits<std::size_t>::max();
};

/// Main effects become finer by the factor that the law gives for so many more rows: its optimum grows like
/// `n^(1 / (2 beta + 1))`. Interactions keep the resolutions that they come with.
///
/// Penalty weights are solved for again, from the sums over all rows: one pass for them, one for exact
/// leave-one-out (and one for the means of the functions where dense rows are cheaper). Interactions that
/// vanish under their penalty are dropped; what is left is shrunk as much as in the chosen stage. With a link
/// there is a pass for each step, and a shrinkage becomes its `n / N`-th power, of `n` rows in the sample and
/// `N` in all.
FullFit fit_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised, const RowSource& source,
                     const FullFitLimits& limits);

/// Mean left-out loss of straight lines without penalty.
double linear_loo(const GrowingData& data);

}  // namespace kore
