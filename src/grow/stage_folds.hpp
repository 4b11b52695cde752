#pragma once

#include "grow/referee.hpp"

namespace kore {

// Where rows are many, the referee need not repeat the whole growth without each part of them. Terms, knots
// and directions of a stage are those that all rows found, and what the other rows decide anew is how much of
// each term is left: penalty weights and coefficients. The sums of a part are added up once, so that leaving
// it out costs no pass over the others.

/// Whether that is enough. Not where pairs had to compete for their places, where there may be nothing but
/// noise, or where a few rows make up much of the squared error: then the rows of a fold may have decided
/// which terms there are, and the growth has to be repeated without them.
bool terms_may_stay(const GrowingData& data, const Growth& whole);

/// Predictions for each fold by stages that are fitted without its rows: as `leave_folds_out`, for candidates
/// that compete. Penalty weights are solved for again, from those of all rows on. Others than competing
/// candidates predict the mean of the other rows.
LeftOut leave_folds_out_of_stages(const GrowingData& data, const Growth& whole,
                                  const std::vector<bool>& competing, std::span<const std::size_t> folds,
                                  const GrowthProgress& progress);

}  // namespace kore
