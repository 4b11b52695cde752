#pragma once

#include <string>
#include <vector>

#include "kore/model.hpp"

namespace kore::story {

/// Problems when the model was solved for, one sentence each; empty where there were none.
std::vector<std::string> convergence_notes(const FitSummary& summary);

}  // namespace kore::story
