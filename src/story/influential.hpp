#pragma once

#include <string>
#include <vector>

#include "kore/table_model.hpp"

namespace kore::story {

/// A clause for the verdict about rows that nearly decide their own prediction, with the features in which
/// they lie far from the others: "1 row nearly decides its own prediction: row 24,068 (far out in 'y')".
/// Empty where there are none, and where the model repeats its rows anyway.
std::string influential_clause(const Model& model);

/// The same with values and leverages, and what was done where the structure that a sample chose failed on
/// all rows.
std::vector<std::string> row_notes(const table::TableModel& fitted);

}  // namespace kore::story
