#pragma once

#include "kore/model.hpp"
#include "pass/press_passes.hpp"

namespace kore {

/// Records rows whose leverage is near one, with the features in which they lie far from the other rows:
/// those whose distance is at least half the largest and at least three. The distance in a feature is that
/// from the mean of `rows` (all rows or a sample) in standard deviations; of a level that a share `p` of the
/// rows have, it is `sqrt((1 - p) / p)`, the same for an indicator.
void record_influential(const HighLeverages& high, const std::vector<Feature>& features, const RowBlock& rows,
                        FitSummary& summary);

}  // namespace kore
