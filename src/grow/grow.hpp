#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "grow/candidates.hpp"
#include "grow/pilot_fits.hpp"
#include "grow/stage.hpp"
#include "kore/selector.hpp"

namespace kore {

struct GrowOptions {
  std::size_t max_order = 3;       ///< Of interactions: 1 is main effects alone.
  std::size_t max_columns = 2500;  ///< Of a stage.
  /// Of all interactions of a stage together; given pairs may begin with more.
  std::size_t interaction_columns = std::numeric_limits<std::size_t>::max();
  std::vector<FeaturePair> given;  ///< Where not empty, these pairs and no other interaction.
  bool all_pairs = false;          ///< Every pair is offered, however little it promises.
  bool interactions_only = false;  ///< A model without interactions is not to be chosen.
  int max_resolution_main = 64;
  int max_resolution_pair = 16;
  double stability = 0.45;  ///< Of the fits without penalty.
  GrowthProgress progress = {};
};

/// A growing model: the stages that leave-one-out chose between, and what was learned on the way.
struct Growth {
  /// Straight lines, then by rising order: main effects, pairs (those that are sure, then all that are
  /// offered) and triples, each with penalties first and then without, as far as that was fitted.
  std::vector<Stage> stages;
  std::size_t chosen = 0;
  bool penalised = true;              ///< Of the chosen stage.
  Selection additive;                 ///< How the resolution of main effects was solved for, and ...
  BasisCount additive_size;           ///< ... their `p(G)`.
  std::optional<Selection> pairwise;  ///< Where the rows allow a fit of all pairs without penalty.
  std::vector<ScoredTerm> screened;   ///< Pairs and triples that were looked at, best first in each order.
  int fits = 0;
};

/// Main effects, then pairs, then triples, each stage from what the one before left unexplained, with terms
/// refined where their penalty leaves them most of their space. Exact leave-one-out chooses the stage: a
/// richer one must be better by more than the noise of the comparison and the price of its weights, and
/// curves better than straight lines.
///
/// Where not even the coarsest curves fit into the columns, all are straight lines; where those do not
/// either, or given pairs do not, throws `invalid_argument`.
Growth grow(const GrowingData& data, const GrowOptions& options);

}  // namespace kore
