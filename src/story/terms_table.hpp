#pragma once

#include <cstddef>
#include <string>

#include "kore/model.hpp"

namespace kore::story {

/// A line for each of the `most` most important terms: its shares and, where the model holds them, effective
/// parameters, the test against no effect and concurvity.
std::string terms_table(const Model& model, std::size_t most);

/// Why the p-values are approximate, in a sentence; empty where the model holds none.
std::string terms_note(const Model& model);

}  // namespace kore::story
