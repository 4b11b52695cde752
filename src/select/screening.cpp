#include "kore/screening.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "design/transform.hpp"
#include "kore/error.hpp"
#include "kore/smoother.hpp"
#include "kore/solve.hpp"
#include "pass/gram_passes.hpp"
#include "select/family.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

constexpr double nothing_left = 1e-15;

Design pairs_only(std::span<const Feature> features, std::span<const FeaturePair> pairs,
                  const ScreeningOptions& options) {
  std::vector<Term> terms;
  for (const auto& [i, j] : pairs)
    terms.push_back({{i, j}, {options.pair_resolution, options.pair_resolution}});
  return {{features.begin(), features.end()}, std::move(terms), options.degree, Parametrisation::centred};
}

// Variance of the values that one term alone fits to the target.
double explained_variance(const GramAccumulator& gram, std::size_t term, const TermMap& map,
                          std::span<const double> sums, std::span<const double> products,
                          const ScreeningOptions& options) {
  const Design& design = gram.design();
  const std::size_t raw = design.raw_term_columns(term);
  const std::size_t m = design.term_columns(term);
  const auto part = [&](std::span<const double> all) {
    const auto own = all.subspan(design.raw_offset(term), raw);
    return raw_rows_to_solved(map, {own.begin(), own.end()}, 1);
  };
  const std::vector<double> block =
      raw_columns_to_solved(map, raw_rows_to_solved(map, gram.block(term, term), raw), m);
  const std::vector<double> sum = part(sums);
  const std::vector<double> right = part(products);
  std::vector<double> matrix = block;
  const double total = trace(block, m);
  if (total <= 0) return 0;  // a constant coordinate
  // A score does not need more digits, and pairs with few rows would be singular with a smaller ridge.
  constexpr double relative_floor = 1e-7;
  const double ridge = options.relative_ridge
                           ? std::max(options.ridge, relative_floor) * total / static_cast<double>(m)
                           : options.ridge;
  add_to_diagonal(matrix, m, ridge);
  const std::vector<double> c = Cholesky(std::move(matrix), m).solve(right);
  double squares = 0;
  double mean = 0;
  for (std::size_t i = 0; i < m; ++i) {
    mean += sum[i] * c[i] / gram.weight_sum();
    for (std::size_t j = 0; j < m; ++j) squares += c[i] * block[i * m + j] * c[j];
  }
  return squares / gram.weight_sum() - mean * mean;
}

}  // namespace

std::vector<ScoredPair> screen_pairs(const RowSource& source, std::span<const Feature> features,
                                     const ScreeningOptions& options) {
  if (features.size() != source.columns())
    throw Error(ErrorCode::invalid_argument, "feature_count_mismatch",
                "{features} features were given for data of {columns} columns.",
                {{"features", features.size()}, {"columns", source.columns()}});
  const std::vector<FeaturePair> pairs = all_pairs(features.size());
  if (pairs.empty()) return {};
  const int threads = resolve_threads(options.threads);
  FamilySettings additive{{features.begin(), features.end()},
                          {},
                          Structure::additive,
                          options.degree,
                          options.ridge,
                          options.relative_ridge,
                          threads};
  // The first block contains the constant of the fit; but the block of a constant feature is all zeros.
  if (features[0].range.lowest == features[0].range.highest)
    additive.additive_parametrisation = Parametrisation::centred;
  FamilyFits fits(source, std::move(additive));
  const Fitted fit = fits.take_without_leverages(options.additive_resolution);
  ResidualGramPass pass;
  pass.include(fit.smoother, pairs_only(features, pairs, options), GramBlocks::diagonal);
  source.run(pass, threads);
  const GramAccumulator gram = std::move(std::move(pass).take().front());

  const double mean = gram.target_sum() / gram.weight_sum();
  const double variance = gram.target_squares() / gram.weight_sum() - mean * mean;
  if (std::isnan(variance))
    throw Error(
        ErrorCode::invalid_data, "residuals_not_finite",
        "The residuals of the additive fit are not finite: the data hold missing or infinite values, or "
        "no rows at all.");
  if (variance < nothing_left) return {};
  const std::vector<double> sums = gram.sums();
  const std::vector<double> products = gram.target_products();
  const std::vector<TermMap> maps = term_maps(gram.design(), sums, gram.weight_sum());
  std::vector<ScoredPair> ranked(pairs.size());
  parallel_for(pairs.size(), threads, [&](std::size_t t) {
    const bool fits_in =
        static_cast<double>(gram.design().term_columns(t)) < options.stability * gram.weight_sum();
    ranked[t] = {pairs[t], -1.0};
    if (fits_in)
      ranked[t].explained =
          std::max(0.0, explained_variance(gram, t, maps[t], sums, products, options) / variance);
  });
  std::erase_if(ranked, [](const ScoredPair& pair) { return pair.explained < 0; });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const ScoredPair& a, const ScoredPair& b) { return a.explained > b.explained; });
  return ranked;
}

std::vector<FeaturePair> keep_pairs(std::span<const ScoredPair> ranked, double threshold, std::size_t most) {
  std::vector<FeaturePair> kept;
  for (const ScoredPair& scored : ranked)
    if (scored.explained >= threshold && kept.size() < most) kept.push_back(scored.pair);
  return kept;
}

}  // namespace kore
