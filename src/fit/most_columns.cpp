#include "fit/most_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kore {
namespace {

bool allowed(double columns, const Options& options, double rows) {
  return columns < options.stability * rows &&
         (options.max_columns == 0 || columns <= static_cast<double>(options.max_columns));
}

/// Columns at the finest resolution that rows and limits allow; at the coarsest, where they allow none.
double finest(const BasisCount& size, int most, const Options& options, double rows) {
  while (most > 1 && !allowed(size(most), options, rows)) --most;
  return size(most);
}

/// The most pairs of a model: screening keeps at most as many as there are features.
std::vector<FeaturePair> widest_pairs(std::span<const Feature> features, const Options& options) {
  if (options.pair_choice == PairChoice::given) return options.pairs;
  std::vector<FeaturePair> pairs = all_pairs(features.size());
  if (options.pair_choice != PairChoice::discover) return pairs;
  std::ranges::stable_sort(pairs, std::ranges::greater(), [&](const FeaturePair& pair) {
    return basis_count(features, std::span(&pair, 1), options.degree)(1);
  });
  pairs.resize(std::min(pairs.size(), features.size()));
  return pairs;
}

bool may_have_pairs(const Options& options) {
  return options.structure != StructureChoice::additive && options.pair_choice != PairChoice::none;
}

double most_grown(std::span<const Feature> features, const GrownOptions& method, const Options& options,
                  double rows) {
  constexpr double interaction_columns_per_row = 4;
  double columns = basis_count(features, {}, options.degree)(options.max_resolution_additive) + 1;
  if (may_have_pairs(options) && method.max_order > 1)
    columns += interaction_columns_per_row * std::min(rows, static_cast<double>(method.structure_rows));
  return options.max_columns == 0 ? columns : std::min(columns, static_cast<double>(options.max_columns));
}

}  // namespace

std::size_t most_columns(std::span<const Feature> features, const Options& options, double rows) {
  if (!options.is_published())
    return static_cast<std::size_t>(most_grown(features, options.grown(), options, rows));
  double columns =
      finest(basis_count(features, {}, options.degree), options.max_resolution_additive, options, rows);
  if (may_have_pairs(options)) {
    const BasisCount size = basis_count(features, widest_pairs(features, options), options.degree);
    // A family that is not even stable at resolution 1 is left out.
    const double pairwise = finest(size, options.max_resolution_pairwise, options, rows);
    if (allowed(pairwise, options, rows)) columns = std::max(columns, pairwise);
    // Where all pairs are too many, the automatic choice takes the ones it discovers.
    if (options.pair_choice == PairChoice::automatic) {
      Options discovered = options;
      discovered.pair_choice = PairChoice::discover;
      columns = std::max(columns, static_cast<double>(most_columns(features, discovered, rows)));
    }
  }
  return static_cast<std::size_t>(columns) + 1;
}

}  // namespace kore
