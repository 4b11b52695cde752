#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "grow/candidates.hpp"
#include "grow/pilot_fits.hpp"
#include "grow/stage.hpp"
#include "kore/selector.hpp"

namespace kore {

/// A number for each order of a stage, from 0, which none has.
using ByOrder = std::array<int, max_order + 1>;

struct Growth;

struct GrowOptions {
  std::size_t max_order = 3;       ///< The most features in one term; 1: main effects alone.
  std::size_t max_columns = 2500;  ///< The most columns of a stage.
  /// The most columns of all interactions of a stage together; given pairs may start with more.
  std::size_t interaction_columns = std::numeric_limits<std::size_t>::max();
  std::vector<FeaturePair> given;  ///< If not empty: these pairs, and no other interaction.
  bool all_pairs = false;          ///< Every pair is tried, however small its gain.
  bool interactions_only = false;  ///< A model without interactions is never chosen.
  int max_resolution_main = 64;
  int max_resolution_pair = 16;
  bool value_effects = true;  ///< Try effects of single values.
  bool certain_pairs = true;  ///< Also fit a stage of only those pairs whose gain is beyond chance.
  /// The most times that the interactions of a stage become finer, by the order of the stage.
  ByOrder refinements{0, 0, 3, 3};
  int main_resolution = 0;        ///< Of main effects with penalties; 0: by pilots, fits without penalties.
  bool unpenalised_mains = true;  ///< Also fit main effects without penalties, at several resolutions.
  /// Also fit all pairs without penalties, where there are rows enough and little noise.
  bool unpenalised_pairs = true;
  /// Another growth of the same table, from more rows or of another scale of the target. Terms that it has
  /// too start with its resolutions and penalty weights (earlier_growth.hpp), and no stage that it has goes
  /// from coarse to fine again. Candidates are scored and chosen anew. May be null.
  const Growth* earlier = nullptr;
  double stability = 0.45;    ///< Fits without penalties need `p(G) < stability * n`.
  std::size_t max_terms = 0;  ///< The most terms of a stage; 0 is no limit.
  bool few_terms = false;     ///< Also fit stages of the few terms that matter most.
  GrowthProgress progress = {};
  GrowthProgress fold_progress = {};  ///< For the fits of folds that the calling thread makes.
  /// Called from the calling thread with the number of folds that have been left out, and of all.
  std::function<void(std::size_t done, std::size_t count)> folds_done = {};
};

/// The result of growing: the stages that were compared, which one was chosen, and how.
struct Growth {
  /// Straight lines, then by order: main effects, pairs (first those whose gain is beyond chance, then all
  /// candidates) and triples; within an order those with penalties first, then without, if fitted.
  std::vector<Stage> stages;
  std::size_t chosen = 0;
  bool penalised = true;              ///< Of the chosen stage.
  Selection additive;                 ///< How the resolution of main effects was solved for, and ...
  BasisCount additive_size;           ///< ... their `p(G)`.
  std::optional<Selection> pairwise;  ///< If there are enough rows to fit all pairs without penalties.
  std::vector<ScoredTerm> screened;   ///< Pairs and triples that were scored, best first in each order.
  ByOrder refinements{};              ///< That lowered leave-one-out, by order.
  int fits = 0;
};

/// The stage of a kind, if the growth has it.
const Stage* stage_of(const Growth& growth, StageKind kind);

/// Fits main effects, then adds pairs, then triples. The candidates of each stage are scored by what they
/// explain of the left-out residuals of the stage before. Interactions that use at least a tenth of their
/// columns get a finer resolution. Leave-one-out chooses the stage: a richer one must be better by more than
/// a standard error of the difference and by its price (choice.hpp), and curves better than straight lines.
///
/// Where even the coarsest curves have more than `max_columns` columns, all are straight lines. Throws
/// `invalid_argument` where lines, or given pairs, have too many columns as well.
Growth grow(const GrowingData& data, const GrowOptions& options);

}  // namespace kore
