#pragma once

#include "fit/growing_rows.hpp"
#include "kore/model.hpp"

namespace kore {

/// The mean, where no feature varies.
Model model_without_features(const GrowingRows& rows, const RowSource& source, const Options& options,
                             const Names& names);

/// The means that a response with a link may predict: as far as its targets say anything, or, if not
/// `limited`, all that it can have.
Range linked_limits(const GrowingRows& rows, bool limited);

}  // namespace kore
