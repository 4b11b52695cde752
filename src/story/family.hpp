#pragma once

#include <string>
#include <vector>

#include "kore/table_model.hpp"

namespace kore::story {

/// What the family of a model means for its effects and predictions; empty for the normal one.
std::string family_sentence(const table::TableModel& fitted);

/// What the table writes for 0 and for 1 in a target of two values; empty for other targets.
std::vector<std::string> target_words(const table::TableModel& fitted);

/// How the spread of the target around its mean was found.
std::string dispersion_words(const Model& model);

/// Effects multiply something: the mean, or the odds of yes.
bool effects_multiply(const Model& model);

}  // namespace kore::story
