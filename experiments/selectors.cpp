#include "experiments/selectors.hpp"

#include <chrono>
#include <cmath>
#include <optional>

#include "base/parallel.hpp"
#include "kore/fit.hpp"
#include "kore/ladder.hpp"
#include "select/family.hpp"
#include "stats/linear_form.hpp"

namespace kore::experiments {
namespace {

constexpr int max_resolution_pairwise = 10;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

LadderOptions ladder_options(std::uint64_t fold_seed, int threads) {
  LadderOptions options;  // the paper's grids, ridge and folds
  options.max_resolution_pairwise = max_resolution_pairwise;
  options.seed = static_cast<std::uint32_t>(fold_seed);
  options.threads = threads;
  return options;
}

double cost_of_fit(double rows, double features, double pairs, int resolution) {
  // Products of local functions per row, and the factorisation, whose flops are cheaper.
  const double m = resolution + 2;
  const double columns = 1 + features * m + pairs * m * m;
  const double local = 4 * features + 16 * pairs;
  return rows * local * local / 2 + columns * columns * columns / 12;
}

}  // namespace

MatrixView Problem::train() const {
  return MatrixView::row_major(data.x_train, data.y_train.size(), data.dimension);
}

MatrixView Problem::test() const {
  return MatrixView::row_major(data.x_test, data.y_test.size(), data.dimension);
}

std::vector<Feature> features_of(const Problem& problem) {
  RangeAccumulator ranges(problem.data.dimension);
  ranges.add({problem.train(), problem.data.y_train, {}});
  std::vector<Feature> features;
  for (const auto& range : ranges.ranges()) features.push_back({"", range, FeatureKind::spline});
  return features;
}

Options paper_options(std::span<const Pair> pairs, int threads) {
  Options options = Options::paper();
  options.max_resolution_pairwise = max_resolution_pairwise;
  options.pair_choice = pairs.empty() ? PairChoice::none : PairChoice::given;
  options.pairs.assign(pairs.begin(), pairs.end());
  options.intervals = false;
  options.threads = threads;
  return options;
}

KoreRun run_kore(const Problem& problem, const Options& options) {
  const Stopwatch watch;
  Model model = fit(problem.train(), problem.data.y_train, options);
  const double seconds = watch.seconds();
  const double rmse = test_rmse(problem, predict(model, problem.test(), options.threads));
  const FitSummary& summary = model.summary;
  return {{summary.structure, summary.resolution, summary.fits, seconds, rmse}, std::move(model.summary)};
}

Outcome select_by_kore(const Problem& problem, int threads) {
  return run_kore(problem, paper_options(problem.pairs, threads)).outcome;
}

void KnownFits::add(const KoreRun& run) {
  rmse[{run.outcome.structure, run.outcome.resolution}] = run.outcome.rmse;
  const auto add_curve = [this](Structure structure, const std::optional<Selection>& selection) {
    if (!selection) return;
    for (const auto& [g, score] : selection->curve)
      scores.push_back({structure, g, static_cast<double>(score.p), score.rss});
  };
  add_curve(Structure::additive, run.summary.additive);
  add_curve(Structure::pairwise, run.summary.pairwise);
}

namespace {

double rmse_once(const Problem& problem, const LadderChoice& choice, int threads, KnownFits& known) {
  const std::pair candidate{choice.structure, choice.resolution};
  if (!known.rmse.contains(candidate))
    known.rmse[candidate] = rmse_at(problem, choice.structure, choice.resolution, threads);
  return known.rmse.at(candidate);
}

}  // namespace

Outcome select_by_cross_validation(const Problem& problem, std::uint64_t fold_seed, int threads,
                                   KnownFits known) {
  const Stopwatch watch;
  const MemorySource source(problem.train(), problem.data.y_train);
  const LadderChoice choice =
      cross_validate(source.block(), problem.pairs, ladder_options(fold_seed, threads));
  const double rmse = rmse_once(problem, choice, threads, known);
  return {choice.structure, choice.resolution, choice.fits, watch.seconds(), rmse};
}

CriteriaOutcomes select_by_criteria(const Problem& problem, int threads, KnownFits known) {
  const Stopwatch watch;
  const MemorySource source(problem.train(), problem.data.y_train);
  const std::vector<LadderChoice> choices =
      criteria_ladder(source, features_of(problem), problem.pairs, ladder_options(0, threads), known.scores);
  for (const LadderChoice& choice : choices) rmse_once(problem, choice, threads, known);
  const double seconds = watch.seconds();
  CriteriaOutcomes outcomes;
  for (const LadderChoice& choice : choices) {
    Outcome& outcome = choice.method == "gcv"   ? outcomes.gcv
                       : choice.method == "cp"  ? outcomes.cp
                       : choice.method == "aic" ? outcomes.aic
                                                : outcomes.bic;
    outcome = {choice.structure, choice.resolution, choice.fits, seconds,
               rmse_once(problem, choice, threads, known)};
  }
  return outcomes;
}

double rmse_at(const Problem& problem, Structure structure, int resolution, int threads) {
  FamilySettings settings;
  settings.features = features_of(problem);
  settings.structure = structure;
  if (structure == Structure::pairwise) settings.pairs = problem.pairs;
  settings.threads = resolve_threads(threads);
  const MemorySource source(problem.train(), problem.data.y_train);
  const Fitted fit = FamilyFits(source, std::move(settings)).take_without_leverages(resolution);
  std::vector<double> predictions(problem.data.y_test.size());
  evaluate_rows(fit.smoother.design(), fit.smoother.intercept(), fit.smoother.coefficients(),
                Extrapolation::continue_polynomial, problem.test(), predictions, resolve_threads(threads));
  return test_rmse(problem, predictions);
}

std::vector<ScoredPair> rank_pairs(const Problem& problem, int threads) {
  ScreeningOptions options;
  options.threads = threads;
  return screen_pairs(MemorySource(problem.train(), problem.data.y_train), features_of(problem), options);
}

Problem with_discovered_pairs(const Problem& problem, double threshold, int threads) {
  return {problem.data, keep_pairs(rank_pairs(problem, threads), threshold, problem.data.dimension)};
}

double test_rmse(const Problem& problem, std::span<const double> predictions) {
  double squares = 0;
  for (std::size_t r = 0; r < predictions.size(); ++r) {
    const double error = predictions[r] - problem.data.y_test[r];
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(predictions.size()));
}

double kore_cost(std::size_t rows, std::size_t features, std::size_t pairs) {
  const auto n = static_cast<double>(rows);
  const auto d = static_cast<double>(features);
  const auto s = static_cast<double>(pairs);
  double cost = 0;
  for (const int g : {1, 4, 5, 6, 7, 8, 9, 10, 15}) cost += 2 * cost_of_fit(n, d, 0, g);
  if (pairs > 0)
    for (const int g : {1, 2, 3, 4, 7}) cost += 2 * cost_of_fit(n, d, s, g);
  return cost;
}

double ladder_cost(std::size_t rows, std::size_t features, std::size_t pairs) {
  const auto n = static_cast<double>(rows);
  const auto d = static_cast<double>(features);
  const auto s = static_cast<double>(pairs);
  double cost = 0;
  for (int g = 1; g <= 20; ++g) cost += cost_of_fit(n, d, 0, g);
  if (pairs > 0)
    for (int g = 1; g <= max_resolution_pairwise; ++g) cost += cost_of_fit(n, d, s, g);
  return cost;
}

}  // namespace kore::experiments
