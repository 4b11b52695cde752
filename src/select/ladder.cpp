#include "kore/ladder.hpp"

#include <limits>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "select/family.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

FamilySettings settings(std::span<const Feature> features, std::span<const FeaturePair> pairs, Family family,
                        const LadderOptions& options) {
  FamilySettings s{
      {features.begin(), features.end()}, {}, family, options.degree, options.ridge, options.relative_ridge,
      resolve_threads(options.threads)};
  if (family == Family::pairwise) s.pairs.assign(pairs.begin(), pairs.end());
  return s;
}

std::vector<int> grid(const LadderOptions& options, Family family) {
  const int last =
      family == Family::additive ? options.max_resolution_additive : options.max_resolution_pairwise;
  std::vector<int> resolutions;
  for (int g = options.lowest; g <= last; ++g) resolutions.push_back(g);
  return resolutions;
}

std::vector<Family> families(std::span<const FeaturePair> pairs) {
  if (pairs.empty()) return {Family::additive};
  return {Family::additive, Family::pairwise};
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
        ErrorCode::invalid_data,
        "All rows of a fold have weight zero, so that it cannot be tested on. Drop rows of weight zero.");
  return squares / weight;
}

}  // namespace

std::vector<LadderChoice> criteria_ladder(const RowSource& source, std::span<const Feature> features,
                                          std::span<const FeaturePair> pairs, const LadderOptions& options) {
  check_pairs(pairs, features.size());
  RangeAccumulator count(features.size());
  source.for_each_block([&](const RowBlock& block) { count.add(block); });
  count.ranges();  // refuses data without rows or weight
  const double n = count.weight();
  std::vector<Candidate> candidates;
  for (const Family family : families(pairs)) {
    FamilyFits fits(source, settings(features, pairs, family, options));
    std::vector<int> resolutions = grid(options, family);
    if (family == Family::pairwise)
      std::erase_if(resolutions, [&](int g) { return !(fits.size()(g) < options.stability * n); });
    const std::vector<FitScore> scores = fits.measure_rss(resolutions);
    for (std::size_t i = 0; i < scores.size(); ++i)
      candidates.push_back({family, resolutions[i], static_cast<double>(scores[i].p), scores[i].rss});
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
    throw Error(ErrorCode::invalid_argument,
                "Cross-validation with " + std::to_string(options.folds) +
                    " folds needs at least two folds and as many rows; there are " +
                    std::to_string(data.rows()) + " rows.");
  if (grid(options, Family::additive).empty())
    throw Error(ErrorCode::invalid_argument,
                "There is no candidate to choose from; fit at least one resolution.");
  // Refused here, where rows still have the numbers the caller knows them by.
  const MemorySource all(data.x, data.y, data.weights);
  RangeAccumulator(data.x.columns()).add(all.block());
  const int threads = resolve_threads(options.threads);
  std::vector<std::vector<double>> errors;  // [family][resolution], summed over folds
  for (const Family family : families(pairs)) errors.emplace_back(grid(options, family).size(), 0.0);
  for (const auto& held_out : shuffled_folds(data.rows(), options.folds, options.seed)) {
    const Subset train(data, others(held_out, data.rows()));
    const Subset test(data, held_out);
    const MemorySource source(train.view(), train.y, train.weights);
    RangeAccumulator ranges(source.columns());
    ranges.add(source.block());
    std::vector<Feature> features;
    for (const Range& range : ranges.ranges()) features.push_back({"", range, FeatureKind::spline});
    for (std::size_t f = 0; f < errors.size(); ++f) {
      const Family family = families(pairs)[f];
      FamilyFits fits(source, settings(features, pairs, family, options));
      const std::vector<int> resolutions = grid(options, family);
      for (std::size_t g = 0; g < resolutions.size(); ++g)
        errors[f][g] +=
            test_error(fits.take_without_leverages(resolutions[g]).smoother, test, threads) / options.folds;
    }
  }
  LadderChoice best{"cv", Family::additive, 0, std::numeric_limits<double>::infinity(), 1};
  for (std::size_t f = 0; f < errors.size(); ++f) {
    const Family family = families(pairs)[f];
    best.fits += static_cast<int>(errors[f].size()) * options.folds;
    for (std::size_t g = 0; g < errors[f].size(); ++g)
      if (errors[f][g] < best.score) {
        best.family = family;
        best.resolution = grid(options, family)[g];
        best.score = errors[f][g];
      }
  }
  return best;
}

}  // namespace kore
