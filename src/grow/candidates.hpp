#pragma once

#include <span>
#include <vector>

#include "grow/stage.hpp"

namespace kore {

/// What a term that is not in the model promises.
struct ScoredTerm {
  Term term;
  /// How much the restricted likelihood of the residuals gains by this term alone, in nats; zero where no
  /// weight of its penalty is better than leaving it out.
  double gain = 0;
  /// Below one, the residuals vary less along the term than noise would.
  double score = 0;
  double weight = 0;  ///< The penalty weight with that gain: where solving for it may start.
};

/// Scores terms by what they explain of the leave-one-out residuals of a fit, best first; ties keep their
/// order. Residuals of left-out rows are used because a rich model has eaten what its own residuals would
/// show. One pass over the rows, and no product of any two terms.
std::vector<ScoredTerm> score_terms(const GrowingData& data, const Stage& fitted, std::vector<Term> terms);

/// Columns of a term in the solved layout, and of all of them with an intercept.
std::size_t columns_of(const GrowingData& data, const Term& term);
std::size_t columns_of(const GrowingData& data, std::span<const GrownTerm> terms);

/// Every pair of features that have an effect of their own to bend; of many features, those with the largest
/// main effects.
std::vector<Term> pair_candidates(const GrowingData& data, const Stage& mains, int resolution);

/// Triples that contain at least one pair of the model, with those first whose pairs have the most effective
/// parameters; `heredity` is half of that sum, in the units of a gain.
struct TripleCandidate {
  Term term;
  double heredity = 0;
};
std::vector<TripleCandidate> triple_candidates(const GrowingData& data, const Stage& pairs, int resolution,
                                               std::size_t most);

}  // namespace kore
