#pragma once

#include <cstddef>

#include "kore/model.hpp"

namespace kore {

/// Refuses data that do not have one column for each feature of the model.
void check_column_count(const Model& model, std::size_t columns);

}  // namespace kore
