#pragma once

#include <string>

#include "kore/class_model.hpp"
#include "story/json.hpp"

namespace kore::story {

/// The summary of a model that tells classes apart: how often it is right, and a line for each class.
std::string describe(const table::ClassModel& model);

/// The same as JSON, with the object of `fit_json` for each class.
Json class_json(const table::ClassModel& model);

}  // namespace kore::story
