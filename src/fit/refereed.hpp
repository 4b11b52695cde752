#pragma once

#include <optional>

#include "fit/growing_rows.hpp"
#include "fit/held_out.hpp"
#include "grow/judgement.hpp"

namespace kore {

/// What the referee found about a growth, in the units of the growth.
struct Refereed {
  /// Of `candidates()`; nothing where no referee ran, and the growth's own choice stands.
  std::optional<std::size_t> chosen;
  std::vector<double> mean_losses;  ///< Of each candidate; empty where no referee ran.
  HeldOut rows;                     ///< With predictions of the whole procedure without them.
  Accuracy accuracy;                ///< Of these rows.
};

/// Whole groups can only be left out by a referee, and of few groups nothing can be learned. Throws where
/// there are groups and one of both is not given.
void check_groups(const GrowingRows& rows, int folds);

/// Repeats the growth in folds, or lets rows outside the sample judge it. `folds` as in GrownOptions;
/// `outside` says how curves continue outside the range of the rows of a fit, and `limited` whether
/// predictions stay near their targets.
Refereed referee(const GrowingRows& rows, const GrowOptions& options, const Growth& growth, int folds,
                 Extrapolation outside, bool limited);

/// Rows left out of one fit that has seen them, with terms and weights as they are: leave-one-out given the
/// model. `fitted_counts` says how much each row counted in the fit; errors count as `rows` say.
HeldOut left_out_of(const Smoother& fit, const RowBlock& rows, int threads, const RowCounts& fitted_counts);

}  // namespace kore
