#include "kore/options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "kore/error.hpp"

namespace kore {
namespace {

void require(bool fine, const std::string& option, const std::string& value, const std::string& allowed) {
  if (!fine)
    throw Error(ErrorCode::invalid_argument,
                "The option '" + option + "' is " + value + "; it must be " + allowed + ".");
}

void require_count(int value, int lowest, const std::string& option) {
  require(value >= lowest, option, std::to_string(value), "at least " + std::to_string(lowest));
}

}  // namespace

Options Options::paper() {
  Options options;
  options.penalise = false;
  options.max_resolution_additive = 20;
  options.max_resolution_pairwise = 8;
  options.pair_choice = PairChoice::all;
  options.max_columns = 0;
  options.score_unstable = false;
  options.centre_target = false;
  options.additive_parametrisation = Parametrisation::first_block_full;
  options.inverse_limit = 1e8;
  options.ridge = 1e-8;
  options.relative_ridge = false;
  options.extrapolation = Extrapolation::continue_polynomial;
  return options;
}

void Options::check(std::size_t features) const {
  require(degree >= 1 && degree <= max_degree, "degree", std::to_string(degree), "between 1 and 7");
  require_count(max_resolution_additive, 1, "max_resolution_additive");
  require_count(max_resolution_pairwise, 1, "max_resolution_pairwise");
  require_count(radius_additive, 0, "radius_additive");
  require_count(radius_pairwise, 0, "radius_pairwise");
  require_count(threads, 0, "threads");
  require(max_order >= 1 && max_order <= 3, "max_order", std::to_string(max_order), "1, 2 or 3");
  require(structure_rows >= 100, "structure_rows", std::to_string(structure_rows), "at least 100");
  require(interaction_work >= 0, "interaction_work", std::to_string(interaction_work),
          "a number that is not negative");
  require(stability > 0 && stability < 1, "stability", std::to_string(stability), "between 0 and 1");
  require(ridge >= 0 && std::isfinite(ridge), "ridge", std::to_string(ridge),
          "a finite number that is not negative");
  require(discovery_threshold >= 0 && discovery_threshold <= 1, "discovery_threshold",
          std::to_string(discovery_threshold), "between 0 and 1");
  require(ranges.empty() || ranges.size() == features, "ranges", std::to_string(ranges.size()) + " long",
          "empty or have one entry for each of the " + std::to_string(features) + " features");
  require(kinds.empty() || kinds.size() == features, "kinds", std::to_string(kinds.size()) + " long",
          "empty or have one entry for each of the " + std::to_string(features) + " features");
  const bool has_category = std::ranges::find(kinds, FeatureKind::category) != kinds.end();
  require((levels.empty() && !has_category) || levels.size() == features, "levels",
          std::to_string(levels.size()) + " long",
          "empty where no feature is a category, or have one entry for each of the " +
              std::to_string(features) + " features");
  require(pairs.empty() || pair_choice == PairChoice::given, "pairs", "set",
          "empty unless pair_choice is 'given'");
  check_pairs(pairs, features);
  const bool no_pairs =
      pair_choice == PairChoice::none || (pair_choice == PairChoice::given && pairs.empty());
  require(structure != StructureChoice::pairwise || (!no_pairs && features > 1), "family", "'pairwise'",
          "'automatic' or 'additive' where there are no pairs");
  const bool wants_pairs =
      structure == StructureChoice::pairwise || (structure == StructureChoice::automatic && !pairs.empty());
  require(!penalise || max_order > 1 || !wants_pairs, "max_order", "1",
          "2 or 3 where pairs are given or the family is 'pairwise'");
}

}  // namespace kore
