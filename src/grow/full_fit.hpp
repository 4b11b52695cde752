#pragma once

#include "grow/stage.hpp"
#include "kore/rows.hpp"
#include "solve/normal_equations.hpp"

namespace kore {

/// A structure that was chosen on a sample, fitted to all rows.
struct FullFit {
  std::vector<GrownTerm> terms;
  NormalEquations equations;  ///< Without penalties.
  Smoother smoother;
  PressSums press;
  double noise = 0;
  double ridge = 0;
};

/// Penalty weights are solved for again, from the sums over all rows: one pass for them, one for exact
/// leave-one-out (and one for the means of the functions where dense panels are cheaper). Interactions of
/// which nothing is left are dropped.
FullFit fit_all_rows(const GrowingData& sample, const Stage& chosen, bool penalised, const RowSource& source);

/// LOO of straight lines without penalty.
double linear_loo(const GrowingData& data);

}  // namespace kore
