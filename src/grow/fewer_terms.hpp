#pragma once

#include <cstddef>
#include <vector>

#include "grow/grow.hpp"

namespace kore {

// Simplicity as a choice. A stage with fewer terms is fitted again, with penalty weights solved for anew, so
// that the terms which stay take over what they can say of the others. The referee grows in folds with the
// same options; so it judges what is left of each fold's own terms, and the choice of the terms is part of
// the error that it states.

/// How many terms a reader sees: those of the stage, and the simpler effects of the features of its
/// interactions, to which a part of these belongs (kore/decomposition.hpp).
std::size_t shown_terms(const std::vector<GrownTerm>& terms);

/// The terms with the largest shares of the variance (the covariance of a term with the fitted values over
/// their variance), each with the simpler terms of its features, so that a reader sees at most `most`. Terms
/// keep their order.
std::vector<GrownTerm> most_important_terms(const GrowingData& data, const Stage& stage, std::size_t most);

/// Does what `GrowOptions::max_terms` and `few_terms` ask for, once the stages are there: fits stages with
/// fewer terms in place of those with too many, and chooses again; adds stages of a few terms before all
/// others.
void keep_fewer_terms(const GrowingData& data, const GrowOptions& options, Growth& growth);

}  // namespace kore
