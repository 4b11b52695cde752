#pragma once

#include "fit/growing_rows.hpp"
#include "fit/refereed.hpp"
#include "fit/robust_rows.hpp"
#include "grow/full_fit.hpp"
#include "kore/model.hpp"

namespace kore {

/// A structure that a sample chose, and what the sample says of it.
struct SampledChoice {
  const GrowingRows& rows;
  const Growth& growth;
  const Refereed& refereed;
  bool interactions_only = false;  ///< A model without interactions may not be taken.
};

struct CheckedFit {
  WeighedFit weighed;
  bool penalised = true;
};

/// Fits the structure that the sample chose to all rows, and checks it there. The table may have rows that
/// are unlike those of the sample. So where leave-one-out on all rows is clearly worse than what rows outside
/// the sample promised, both as a share of the target's variance, the next simpler stage with penalties is
/// fitted too, down to straight lines, and the smallest leave-one-out error on all rows wins. The errors and
/// the choice are recorded in the stages of `summary`. Under the robust loss rows that count for less make
/// both errors hard to compare, and the sample's choice stands. Costs nothing where the check holds, and
/// otherwise a fit to all rows for each simpler stage that is tried.
///
/// Then interactions that make use of their columns on all rows get twice the resolution, while leave-one-out
/// on all rows falls, within the limits on columns: more rows carry more detail. Each round is one more fit
/// to all rows, three at most; tables of more than 500,000 rows have none.
CheckedFit fit_and_check(const SampledChoice& choice, const RowSource& source, const FullFitLimits& limits,
                         FitSummary& summary);

}  // namespace kore
