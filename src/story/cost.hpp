#pragma once

#include <string>
#include <vector>

#include "kore/phases.hpp"
#include "kore/table_model.hpp"
#include "story/json.hpp"

namespace kore::story {

/// How long the fit took, how many fits that were, and the phases that took most of it; without a line's end.
std::string cost_line(const table::TableModel& fitted);
/// Every phase with its parts, in the order in which they began. Empty where the file does not tell.
std::string phases_table(const table::FitFacts& facts);
Json phases_json(const std::vector<Phase>& phases);

}  // namespace kore::story
