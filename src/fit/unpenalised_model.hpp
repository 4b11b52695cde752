#pragma once

#include "fit/survey.hpp"
#include "select/family.hpp"

namespace kore {

/// The settings of fits without penalties that both methods share.
FamilySettings family_settings(const Survey& data, const Options& options);

/// Fills in what the summary says about a fit without penalties and its rows.
void record_fit(const Fitted& best, const Survey& data, double target_shift, const Options& options,
                FitSummary& summary);

/// The model of a fit without penalty. `summary` has how it was chosen; `target_shift` was taken from the
/// target before the fit.
Model model_of(Fitted best, FitSummary summary, const Survey& data, double target_shift,
               const Options& options, const Names& names);

/// The model of rows in which no feature varies: the target's mean, with its exact leave-one-out error.
Model mean_model(const RowSource& source, const Survey& data, const Options& options, const Names& names);

}  // namespace kore
