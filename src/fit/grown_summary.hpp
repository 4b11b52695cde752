#pragma once

#include <span>

#include "fit/refereed.hpp"
#include "fit/survey.hpp"
#include "grow/grow.hpp"
#include "kore/model.hpp"

namespace kore {

/// Fills in the summary of a grown model. Until `rescale`, numbers are in the units of the growth, and errors
/// on new rows in those of UnseenPredictions.

Structure structure_of(const Stage& stage);

/// The mean loss of the constant model on the rows it was fitted to.
double constant_loss(const GrowingData& data);

void record_survey(const GrowingRows& rows, FitSummary& summary);
/// The terms of the final model: a fit to all rows may have dropped some that the sample had kept.
void record_terms(std::span<const GrownTerm> terms, FitSummary& summary);
void record_growth(const Growth& growth, FitSummary& summary);
/// What rows that took part in no choice say of every stage, and the constant among them.
void record_judgement(const Growth& growth, const Refereed& refereed, const GrowingData& data,
                      FitSummary& summary);
/// The errors of the constant, where it was chosen.
void record_constant(const GrowingRows& rows, const Convergence& convergence, const Options& options,
                     FitSummary& summary);
void record_fit(const PressSums& press, double ridge, bool relative_ridge, FitSummary& summary);
/// How the model was solved for, and how many of its rivals did not settle.
void record_convergence(Convergence convergence, const Growth& growth, FitSummary& summary);

/// From the units of the growth to those of the target on the scale of the fit; errors on new rows to those
/// of the target itself.
void rescale(Model& model, const GrowingRows& rows);

}  // namespace kore
