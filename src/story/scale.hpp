#pragma once

#include <string>

#include "kore/model.hpp"

namespace kore::story {

/// What effects act on: the name of the target, or "log(price)" where that was fitted. Empty without a name.
std::string scaled_target(const Model& model);
/// "logarithm of 'price': ...", with what is on this scale and what is not; empty on the identity scale.
std::string scale_sentence(const Model& model);
/// Whether effects are factors of the target where they are raised to the power of e.
bool has_factors(const Model& model);

}  // namespace kore::story
