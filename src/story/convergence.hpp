#pragma once

#include <string>
#include <vector>

#include "kore/model.hpp"

namespace kore::story {

/// What was not as it should be when the model was solved for, one sentence each; nothing where all was.
std::vector<std::string> convergence_notes(const FitSummary& summary);

}  // namespace kore::story
