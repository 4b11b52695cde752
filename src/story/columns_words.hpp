#pragma once

#include <string>

#include "kore/encoding.hpp"

namespace kore::story {

/// "7 columns as 8 features (1 more flags rows without 'Horsepower')": how many, and why the engine has
/// others.
std::string columns_words(const table::Encoding& encoding);

}  // namespace kore::story
