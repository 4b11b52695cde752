#pragma once

#include <span>
#include <vector>

#include "grow/stage.hpp"

namespace kore {

/// How much a term that is not in the model would explain.
struct ScoredTerm {
  Term term;
  /// How much this term alone raises the restricted log-likelihood of the residuals (natural logarithm); zero
  /// where no penalty weight is better than leaving it out.
  double gain = 0;
  /// The squared projection of the residuals on the term over its expectation under pure noise.
  double score = 0;
  double weight = 0;  ///< The penalty weight with that gain, from which solving may start.
};

/// Scores terms by what they explain of the left-out working residuals of a fit, best first; ties keep their
/// order. Left-out residuals are used because the plain residuals of a rich model are too small to show
/// what is missing. Each term is fitted alone, with two passes over its own columns; no products between
/// terms are needed. Terms without any variation are left out, and so are those of more than
/// `most_scored_columns`, which would take too long.
inline constexpr std::size_t most_scored_columns = 300;
std::vector<ScoredTerm> score_terms(const GrowingData& data, const Stage& fitted, std::vector<Term> terms);

/// Columns of a term in the solved layout, and of all of them with an intercept.
std::size_t columns_of(const GrowingData& data, const Term& term);
std::size_t columns_of(const GrowingData& data, std::span<const GrownTerm> terms);
/// Of the interactions among them, without the intercept.
std::size_t interaction_columns(const GrowingData& data, std::span<const GrownTerm> terms);

/// Every pair of features that vary; of more than `most_features`, those with the largest main effects.
std::vector<Term> pair_candidates(const GrowingData& data, const Stage& mains, int resolution,
                                  std::size_t most_features);

/// Triples that contain at least one pair of the model, sorted by the effective parameters of their pairs.
/// `heredity` is half of that sum, in the units of a gain.
struct TripleCandidate {
  Term term;
  double heredity = 0;
};
std::vector<TripleCandidate> triple_candidates(const GrowingData& data, const Stage& pairs, int resolution,
                                               std::size_t most);

}  // namespace kore
