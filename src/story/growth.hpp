#pragma once

#include <string>
#include <vector>

#include "kore/law.hpp"
#include "kore/model.hpp"

/// What the default profile knows beyond the paper: how a model grew, and what more data would buy.
namespace kore::story {

/// "additive", "main effects with 3 pairs" or "main effects with 3 pairs and 2 triples".
std::string structure_words(const Model& model);

/// The lines of a summary on the models that leave-one-out chose between, each also with the price of what
/// its rows have chosen; nothing where there was no choice.
std::string stages_text(const FitSummary& summary);

/// What the law of the main effects expects of 1, 2 and 4 times the rows; nothing where it is not known.
std::vector<DataForecast> forecasts(const Model& model);

/// One sentence on them; nothing where there are none.
std::string forecast_text(const Model& model);

}  // namespace kore::story
