#pragma once

#include "kore/model.hpp"
#include "kore/rows.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// The fit behind a model once more, from the rows it was fitted on: a model keeps nothing of the rows, and
/// leverages need their Gram matrix. Its target is shifted by the summary's `target_shift`. Costs one pass,
/// and another where the columns nearly depend on each other. Throws `invalid_data` for a wrong number of
/// columns.
Smoother refit(const RowSource& source, const Model& model, int threads);

}  // namespace kore
