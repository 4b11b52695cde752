#pragma once

#include <optional>

#include "kore/model.hpp"
#include "kore/rows.hpp"
#include "kore/smoother.hpp"
#include "pass/weighed_source.hpp"

namespace kore {

/// How a model with the robust loss weighs rows, whose target is less the summary's `target_shift`; nothing
/// where the loss is the squared error.
std::optional<RowWeighing> weighing_of(const Model& model);

/// Repeats the fit of a model, with its terms and penalty weights, on the rows it was fitted to. A model does
/// not keep the Gram matrix, which leverages need. The target is shifted by the summary's `target_shift`.
/// Costs one pass, and another where the columns are nearly dependent. Throws `invalid_data` for a wrong
/// number of columns.
Smoother refit(const RowSource& source, const Model& model, int threads);

}  // namespace kore
