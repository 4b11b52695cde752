#include "kore/options.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/number_text.hpp"
#include "fit/option_records.hpp"
#include "grow/coordinates.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

constexpr const char* pattern = "The option '{option}' is {value}; it must be {allowed}.";

void require(bool fine, std::string_view reason, std::string_view option, const std::string& value,
             const std::string& allowed) {
  if (!fine)
    throw Error(ErrorCode::invalid_argument, reason, pattern,
                {{"option", option}, {"value", value}, {"allowed", allowed}});
}

void check_ranges(const Options& options) {
  for (const OptionRecord& record : option_records()) {
    if (record.type != OptionType::integer && record.type != OptionType::number) continue;
    if (const std::optional<OptionValue> value = record.value(options))
      require(in_range(record, value->number), "option_out_of_range", record.name, value->text,
              allowed_values(record));
  }
}

void check_lengths(const Options& options, std::size_t features) {
  const auto require_length = [](bool fine, std::string_view option, std::size_t length,
                                 const std::string& allowed) {
    require(fine, "option_of_wrong_length", option, std::to_string(length) + " long", allowed);
  };
  const std::string one_each = "have one entry for each of the " + std::to_string(features) + " features";
  require_length(options.ranges.empty() || options.ranges.size() == features, "ranges", options.ranges.size(),
                 "empty or " + one_each);
  require_length(options.kinds.empty() || options.kinds.size() == features, "kinds", options.kinds.size(),
                 "empty or " + one_each);
  const bool has_category = std::ranges::find(options.kinds, FeatureKind::category) != options.kinds.end();
  require_length((options.levels.empty() && !has_category) || options.levels.size() == features, "levels",
                 options.levels.size(), "empty where no feature is a category, or " + one_each);
}

/// What the default method is told about single features.
void check_curves(const Options& options, std::size_t features) {
  if (options.is_published()) return;
  const GrownOptions& grown = options.grown();
  const std::string one_each =
      "empty or have one entry for each of the " + std::to_string(features) + " features";
  const auto require_each = [&](bool fine, std::string_view option, std::size_t length) {
    require(fine, "option_of_wrong_length", option, std::to_string(length) + " long", one_each);
  };
  require_each(grown.periods.empty() || grown.periods.size() == features, "periods", grown.periods.size());
  require_each(grown.max_resolutions.empty() || grown.max_resolutions.size() == features, "max_resolutions",
               grown.max_resolutions.size());
  for (const double period : grown.periods)
    require(period >= 0 && std::isfinite(period), "bad_period", "periods", number_text(period),
            "finite and above 0, or 0 for none");
  for (std::size_t j = 0; j < grown.max_resolutions.size(); ++j) {
    const bool cyclic = j < grown.periods.size() && grown.periods[j] > 0;
    const int finest = grown.max_resolutions[j];
    require(finest >= 0 && finest <= max_intervals && (finest == 0 || !cyclic || finest >= coarsest_cyclic),
            "bad_max_resolution", "max_resolutions", std::to_string(finest),
            cyclic ? "at least " + std::to_string(coarsest_cyclic) + " for a cyclic feature, or 0 for none"
                   : "at least 1, or 0 for none");
  }
}

/// Pairs that are asked for and forbidden at once.
void check_pair_options(const Options& options, std::size_t features) {
  require(options.pairs.empty() || options.pair_choice == PairChoice::given, "pairs_without_pair_choice",
          "pairs", "set", "empty unless pair_choice is 'given'");
  check_pairs(options.pairs, features);
  const bool no_pairs = options.pair_choice == PairChoice::none ||
                        (options.pair_choice == PairChoice::given && options.pairs.empty());
  require(options.structure != StructureChoice::pairwise || (!no_pairs && features > 1),
          "pairwise_without_pairs", "structure", "'pairwise'",
          "'automatic' or 'additive' where there are no pairs");
  if (options.is_published()) return;
  const bool wants_pairs = options.structure == StructureChoice::pairwise ||
                           (options.structure == StructureChoice::automatic && !options.pairs.empty());
  require(options.grown().max_order > 1 || !wants_pairs, "max_order_forbids_pairs", "max_order", "1",
          "2 or 3 where pairs are given or the structure is 'pairwise'");
  constexpr int terms_of_pair = 3;  // with the main effects of both features
  const int most = options.grown().max_terms;
  require(most == 0 || most >= terms_of_pair || options.structure != StructureChoice::pairwise,
          "max_terms_forbids_pairs", "max_terms", std::to_string(most),
          "3 or more where the structure is 'pairwise'");
}

/// Rows are weighed by errors in the units of the target.
void check_robust(const Options& options) {
  if (options.is_published() || options.grown().loss == Loss::squared) return;
  const TargetScale scale = options.grown().target_scale;
  require(scale == TargetScale::automatic || scale == TargetScale::identity, "robust_on_another_scale",
          "target_scale", scale == TargetScale::logarithm ? "'log'" : "'sqrt'",
          "'auto' or 'identity' with the robust loss");
}

}  // namespace

Options Options::paper() {
  Options options;
  options.method = PublishedOptions{};
  options.max_resolution_additive = 20;
  options.max_resolution_pairwise = 8;
  options.pair_choice = PairChoice::all;
  options.max_columns = 0;
  options.inverse_limit = 1e8;
  options.ridge = 1e-8;
  options.relative_ridge = false;
  options.extrapolation = Extrapolation::continue_polynomial;
  return options;
}

void Options::check(std::size_t features) const {
  check_ranges(*this);
  check_robust(*this);
  check_lengths(*this, features);
  check_curves(*this, features);
  check_pair_options(*this, features);
}

}  // namespace kore
