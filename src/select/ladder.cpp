#include "kore/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "pass/survey_passes.hpp"
#include "select/candidates.hpp"
#include "select/family.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

FamilySettings settings(std::span<const Feature> features, std::span<const FeaturePair> pairs,
                        Structure structure, const LadderOptions& options) {
  FamilySettings s{{features.begin(), features.end()},
                   {},
                   structure,
                   options.degree,
                   options.ridge,
                   options.relative_ridge,
                   resolve_threads(options.threads)};
  if (structure == Structure::pairwise) s.pairs.assign(pairs.begin(), pairs.end());
  return s;
}

std::vector<int> grid(const LadderOptions& options, Structure structure) {
  const int last =
      structure == Structure::additive ? options.max_resolution_additive : options.max_resolution_pairwise;
  std::vector<int> resolutions;
  for (int g = options.lowest; g <= last; ++g) resolutions.push_back(g);
  return resolutions;
}

bool affordable(const LadderOptions& options, std::span<const Feature> features,
                std::span<const FeaturePair> pairs, Structure structure, int resolution) {
  if (options.max_columns == 0) return true;
  const auto size = basis_count(
      features, structure == Structure::pairwise ? pairs : std::span<const FeaturePair>{}, options.degree);
  return size(resolution) <= static_cast<double>(options.max_columns);
}

std::vector<Structure> families(std::span<const FeaturePair> pairs) {
  if (pairs.empty()) return {Structure::additive};
  return {Structure::additive, Structure::pairwise};
}

/// Rows picked from a block, column by column.
struct Subset {
  Subset(const RowBlock& data, std::span<const std::size_t> rows) : count(rows.size()) {
    for (std::size_t j = 0; j < data.x.columns(); ++j)
      for (const std::size_t r : rows) x.push_back(data.x(r, j));
    for (const std::size_t r : rows) y.push_back(data.y[r]);
    if (!data.weights.empty())
      for (const std::size_t r : rows) weights.push_back(data.weights[r]);
  }
  MatrixView view() const { return MatrixView::column_major(x, count, x.size() / count); }

  std::size_t count;
  std::vector<double> x, y, weights;
};

std::vector<std::size_t> others(std::span<const std::size_t> excluded, std::size_t rows) {
  std::vector<std::size_t> rest;
  std::size_t next = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    if (next < excluded.size() && excluded[next] == r)
      ++next;
    else
      rest.push_back(r);
  }
  return rest;
}

double test_error(const Smoother& fit, const Subset& test, int threads) {
  std::vector<double> predicted(test.count);
  evaluate_rows(fit.design(), fit.intercept(), fit.coefficients(), Extrapolation::continue_polynomial,
                test.view(), predicted, threads);
  double squares = 0;
  double weight = 0;
  for (std::size_t r = 0; r < test.count; ++r) {
    const double w = test.weights.empty() ? 1.0 : test.weights[r];
    squares += w * (test.y[r] - predicted[r]) * (test.y[r] - predicted[r]);
    weight += w;
  }
  if (!(weight > 0))
    throw Error(
        ErrorCode::invalid_data, "fold_without_weight",
        "All rows of a fold have weight zero, so that it cannot be tested on. Drop rows of weight zero.");
  return squares / weight;
}

/// One fold: the rows to fit, with ranges from these rows alone, and the rows held out.
struct Fold {
  Fold(const RowBlock& data, std::span<const std::size_t> held_out, const LadderOptions& options)
      : train(data, others(held_out, data.rows())),
        test(data, held_out),
        source(train.view(), train.y, train.weights) {
    RangeAccumulator ranges(source.columns());
    ranges.add(source.block());
    for (std::size_t j = 0; j < source.columns(); ++j)
      features.push_back({"", ranges.ranges()[j],
                          options.kinds.empty() ? FeatureKind::spline : options.kinds[j],
                          options.levels.empty() ? 0 : options.levels[j]});
  }

  Subset train;
  Subset test;
  MemorySource source;
  std::vector<Feature> features;
};

/// A candidate of cross-validation with its mean error so far: that of the folds it was fitted to, divided by
/// the number of all.
struct Contender {
  Structure structure = Structure::additive;
  int resolution = 0;
  double score = 0;

  void fit(const Fold& fold, std::span<const FeaturePair> pairs, const LadderOptions& options) {
    const FamilyFits fits(fold.source, settings(fold.features, pairs, structure, options));
    const Smoother smoother = fits.take_without_leverages(resolution).smoother;
    score += test_error(smoother, fold.test, resolve_threads(options.threads)) / options.folds;
    if (std::isnan(score)) score = std::numeric_limits<double>::infinity();
  }
};

/// The contender with the smallest mean error, the first of equals. All are fitted to the first fold. They
/// are then fitted to the other folds in the order of their first errors, and only while they can still win:
/// errors are not negative, so a partial sum above the best complete one cannot win.
const Contender& winner(std::vector<Contender>& contenders, const std::vector<Fold>& folds,
                        std::span<const FeaturePair> pairs, const LadderOptions& options) {
  std::vector<Contender*> order;
  for (Contender& contender : contenders) {
    contender.fit(folds[0], pairs, options);
    order.push_back(&contender);
  }
  std::ranges::stable_sort(order, {}, &Contender::score);
  const Contender* best = nullptr;
  for (Contender* contender : order) {
    std::size_t fold = 1;
    while (fold < folds.size() && (best == nullptr || !(contender->score > best->score)))
      contender->fit(folds[fold++], pairs, options);
    const bool complete = fold == folds.size();
    if (complete && (best == nullptr || contender->score < best->score ||
                     (contender->score == best->score && contender < best)))
      best = contender;
  }
  return *best;
}

}  // namespace

std::vector<LadderChoice> criteria_ladder(const RowSource& source, std::span<const Feature> features,
                                          std::span<const FeaturePair> pairs, const LadderOptions& options,
                                          std::span<const LadderCandidate> known) {
  check_pairs(pairs, features.size());
  SurveyPass count(features.size(), {});
  source.run(count, 1);
  count.ranges().ranges();  // refuses data without rows or weight
  const double n = count.ranges().weight_sum();
  std::vector<LadderCandidate> candidates;
  for (const Structure structure : families(pairs)) {
    FamilyFits fits(source, settings(features, pairs, structure, options));
    std::vector<int> resolutions = grid(options, structure);
    if (structure == Structure::pairwise)
      std::erase_if(resolutions, [&](int g) { return !(fits.size()(g) < options.stability * n); });
    std::erase_if(resolutions, [&](int g) { return !affordable(options, features, pairs, structure, g); });
    std::map<int, LadderCandidate> by_resolution;
    for (const LadderCandidate& candidate : known)
      if (candidate.structure == structure) by_resolution.emplace(candidate.resolution, candidate);
    std::vector<int> unknown = resolutions;
    std::erase_if(unknown, [&](int g) { return by_resolution.contains(g); });
    const std::vector<FitScore> scores = fits.measure_rss(unknown);
    for (std::size_t i = 0; i < unknown.size(); ++i)
      by_resolution[unknown[i]] = {structure, unknown[i], static_cast<double>(scores[i].p), scores[i].rss};
    for (const int g : resolutions) candidates.push_back(by_resolution.at(g));
  }
  std::vector<LadderChoice> choices;
  for (const Criterion criterion : {Criterion::gcv, Criterion::cp, Criterion::aic, Criterion::bic})
    choices.push_back(
        choose_by_criterion(criterion, candidates, n, static_cast<int>(families(pairs).size())));
  return choices;
}

LadderChoice cross_validate(const RowBlock& data, std::span<const FeaturePair> pairs,
                            const LadderOptions& options) {
  check_pairs(pairs, data.x.columns());
  if (options.folds < 2 || static_cast<std::size_t>(options.folds) > data.rows())
    throw Error(ErrorCode::invalid_argument, "bad_fold_count",
                "Cross-validation with {folds} folds needs at least two folds and as many rows; there are "
                "{rows} rows.",
                {{"folds", options.folds}, {"rows", data.rows()}});
  if (!options.kinds.empty() && options.kinds.size() != data.x.columns())
    throw Error(ErrorCode::invalid_argument, "kind_count_mismatch",
                "There are {kinds} kinds for {features} features; give one for each, or none.",
                {{"kinds", options.kinds.size()}, {"features", data.x.columns()}});
  if (!options.levels.empty() && options.levels.size() != data.x.columns())
    throw Error(ErrorCode::invalid_argument, "level_count_mismatch",
                "There are {levels} numbers of levels for {features} features; give one for each, or none.",
                {{"levels", options.levels.size()}, {"features", data.x.columns()}});
  // Checked here, where rows still have the numbers that the caller knows.
  const MemorySource all(data.x, data.y, data.weights);
  RangeAccumulator(data.x.columns()).add(all.block());
  std::vector<Fold> folds;
  for (const auto& held_out : shuffled_folds(data.rows(), options.folds, options.seed))
    folds.emplace_back(data, held_out, options);
  std::vector<Contender> contenders;
  for (const Structure structure : families(pairs))
    for (const int resolution : grid(options, structure))
      if (affordable(options, folds.front().features, pairs, structure, resolution))
        contenders.push_back({structure, resolution});
  if (contenders.empty()) refuse_no_candidate();
  const Contender& best = winner(contenders, folds, pairs, options);
  const int fits = static_cast<int>(contenders.size()) * options.folds + 1;
  return {"cv", best.structure, best.resolution, best.score, fits};
}

}  // namespace kore
