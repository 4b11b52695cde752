#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "experiments/datasets.hpp"
#include "experiments/targets.hpp"
#include "kore/criteria.hpp"
#include "kore/model.hpp"
#include "kore/options.hpp"
#include "kore/screening.hpp"
#include "kore/selector.hpp"

namespace kore::experiments {

/// A data set and the graph that the pairwise family is given; without pairs the additive family is alone.
struct Problem {
  Dataset data;
  std::vector<Pair> pairs;

  MatrixView train() const;
  MatrixView test() const;
};

/// The features of the training rows with their ranges.
std::vector<Feature> features_of(const Problem& problem);

/// What a selector chose, what it paid, and how well the chosen model predicts the clean test labels.
struct Outcome {
  Structure structure = Structure::additive;
  int resolution = 0;
  int fits = 0;
  double seconds = 0;
  double rmse = 0;
};

/// KORE's outcome with the story of its fit.
struct KoreRun {
  Outcome outcome;
  FitSummary summary;
};

/// What selectors on the same problem have already computed, so that none fits a candidate a second time.
/// Where their times are compared, each starts with nothing.
struct KnownFits {
  std::vector<LadderCandidate> scores;
  std::map<std::pair<Structure, int>, double> rmse;

  void add(const KoreRun& run);
};

/// The paper profile of the synthetic experiments: resolutions up to 10 in the pairwise family.
Options paper_options(std::span<const Pair> pairs, int threads);

KoreRun run_kore(const Problem& problem, const Options& options);
Outcome select_by_kore(const Problem& problem, int threads);

/// Exhaustive 3-fold cross-validation over both grids, with one refit.
Outcome select_by_cross_validation(const Problem& problem, std::uint64_t fold_seed, int threads,
                                   KnownFits known = {});

/// The four criteria from one fit per candidate; each is charged the time of all.
struct CriteriaOutcomes {
  Outcome gcv;
  Outcome cp;
  Outcome aic;
  Outcome bic;
};
CriteriaOutcomes select_by_criteria(const Problem& problem, int threads, KnownFits known = {});

/// Fits one candidate to all training rows and predicts the test rows.
double rmse_at(const Problem& problem, Structure structure, int resolution, int threads);

/// All pairs of features with the share of an additive fit's residual variance that each explains, best
/// first.
std::vector<ScoredPair> rank_pairs(const Problem& problem, int threads);

/// The problem with the pairs at or above `threshold`, at most one per feature.
Problem with_discovered_pairs(const Problem& problem, double threshold, int threads);

/// Root mean squared error of predictions of the clean test labels.
double test_rmse(const Problem& problem, std::span<const double> predictions);

/// About how long the selectors take, in units of their own: for the order of work and the time left.
double kore_cost(std::size_t rows, std::size_t features, std::size_t pairs);
double ladder_cost(std::size_t rows, std::size_t features, std::size_t pairs);

}  // namespace kore::experiments
