#pragma once

#include <string>
#include <vector>

#include "kore/table_model.hpp"

namespace kore::story {

/// The summary of a fit as text: what was fitted, how the resolution was solved for, how good it is and which
/// effects are largest.
std::string describe(const table::TableModel& model);

std::string note_lines(const std::vector<std::string>& notes);

/// Fits that 3-fold cross-validation over both grids would have made for the same choice.
int grid_search_fits(const FitSummary& summary, int max_resolution_additive, int max_resolution_pairwise);

}  // namespace kore::story
