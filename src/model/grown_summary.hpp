#pragma once

#include <span>

#include "grow/grow.hpp"
#include "kore/model.hpp"
#include "model/survey.hpp"

namespace kore {

/// How a growing model becomes the story of a fit, told in the units of the growth until `rescale`.

Family family_of(const Stage& stage);

void tell_survey(const Survey& data, double shift, FitSummary& summary);
/// What the terms of the model are; a fit to all rows may have dropped some that a sample had kept.
void tell_terms(std::span<const GrownTerm> terms, FitSummary& summary);
void tell_growth(const Growth& growth, FitSummary& summary);
void tell_fit(const PressSums& press, double ridge, bool relative_ridge, FitSummary& summary);

/// From the units of the growth to those of the target.
void rescale(Model& model, double unit);

}  // namespace kore
