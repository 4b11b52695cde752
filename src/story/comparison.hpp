#pragma once

#include <vector>

#include "fit/compare.hpp"
#include "story/json.hpp"

namespace kore::story {

/// The array of `kore compare --json`, an object for each method.
Json comparison_json(const std::vector<ComparedMethod>& table);

}  // namespace kore::story
