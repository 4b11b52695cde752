#pragma once

#include <string>
#include <vector>

#include "kore/law.hpp"
#include "kore/model.hpp"

/// How a model of the default profile grew, and what more rows would improve.
namespace kore::story {

/// Whether rows that took part in no choice chose between the stages.
bool judged_by_unseen_rows(const FitSummary& summary);

/// "the mean", "straight lines", "main effects", "with pairs" or "with triples", and how it is penalised.
std::string stage_words(const StageSummary& stage);

/// "additive", "main effects with 3 pairs" or "main effects with 3 pairs and 2 triples".
std::string structure_words(const Model& model);

/// The lines of the summary that list the models compared by leave-one-out, each with its error and with its
/// price added; empty where there was no choice.
std::string stages_text(const FitSummary& summary);

/// What the law of the main effects expects of 1, 2 and 4 times the rows; empty without a usable law.
std::vector<DataForecast> forecasts(const Model& model);

/// One sentence about them; empty where there are none.
std::string forecast_text(const Model& model);

}  // namespace kore::story
