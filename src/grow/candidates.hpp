#pragma once

#include <functional>
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
/// `most_scored_columns`, which would take too long. `least` may have a gain above zero for each term: terms
/// that gain no more are left out too, and are often found out sooner.
inline constexpr std::size_t most_scored_columns = 300;
std::vector<ScoredTerm> score_terms(const GrowingData& data, const Stage& fitted, std::vector<Term> terms,
                                    std::span<const double> least = {});

/// Drops candidates that gain no more than expected by chance. Where more candidates compete than there are
/// places, the best are partly the best by chance, and leave-one-out, which does not repeat the choice, does
/// not notice. On pure noise the best `places` of them gain about the logarithm of how many compete for each
/// place.
void drop_expected_by_chance(std::vector<ScoredTerm>& scored, std::size_t places,
                             const std::function<double(const ScoredTerm&)>& gain_of);

/// For a caller who asked for pairs where all pairs have vanished: all pairs stay where they were given;
/// otherwise the first one, with the largest gain, does.
std::vector<GrownTerm> with_pairs_that_stay(std::vector<GrownTerm> terms, bool given);

/// Columns of a term in the solved layout, and of all of them with an intercept.
std::size_t columns_of(const GrowingData& data, const Term& term);
std::size_t columns_of(const GrowingData& data, std::span<const GrownTerm> terms);
/// Of the interactions among them, without the intercept.
std::size_t interaction_columns(const GrowingData& data, std::span<const GrownTerm> terms);

/// Of the main effects that are curves, at a resolution.
std::size_t curve_columns(const GrowingData& data, int resolution);

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
