#include "grow/grow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "grow/choice.hpp"
#include "grow/earlier_growth.hpp"
#include "grow/fewer_terms.hpp"
#include "grow/forms.hpp"
#include "grow/refinement.hpp"
#include "grow/single_values.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

constexpr int least_main_resolution = 12;
// Of all curves together, unless that would be coarser than the best pilot.
constexpr std::size_t main_columns = 1000;
constexpr std::size_t most_value_effects = 10;
constexpr int first_pair_resolution = 2;
constexpr std::size_t most_pairs = 100;
constexpr std::size_t most_paired_features = 60;
constexpr int first_triple_resolution = 1;
constexpr std::size_t most_triples = 40;
constexpr std::size_t most_scored_triples = 200;
constexpr double worth_while = 0.99;  // another round of refinement only if the LOO fell below this share
constexpr std::size_t columns_per_row = 4;
constexpr std::size_t cheap_columns = 300;
// Of the LOO with penalties: below it, there is almost no noise and penalties do not help.
constexpr double noise_free_share = 0.2;
constexpr double little_noise = 0.1;  // of the target's variance

class Grower {
 public:
  Grower(GrowingData data, const GrowOptions& options)
      : data_(std::move(data)), options_(options), row_columns_(columns_per_row * data_.rows.rows() + 50) {
    for (std::size_t j = 0; j < data_.coordinates.size(); ++j)
      if (data_.coordinates[j].finest > 0) used_.push_back(j);
    for (const auto& [i, j] : options.given)
      if (data_.coordinates[i].finest > 0 && data_.coordinates[j].finest > 0)
        given_.emplace_back(std::min(i, j), std::max(i, j));
  }

  Growth run() {
    main_effects_and_lines();
    if (options_.max_order >= 2 && used_.size() > 1) interactions();
    choose();
    keep_fewer_terms(data_, options_, growth_);
    return std::move(growth_);
  }

 private:
  bool pairs_are_given() const { return !options_.given.empty(); }
  Stage penalised(std::vector<GrownTerm> terms, std::size_t order) {
    Stage stage = fit_penalised(data_, std::move(terms));
    if (stage.predictor) data_.predictor = stage.predictor;  // the next fit starts where this one ended
    for (const GrownTerm& grown : stage.terms) stage.chance_gain += chance_gain_[grown.term.order()];
    ++growth_.fits;
    if (options_.progress) options_.progress(order, stage.resolution(order), stage);
    return stage;
  }

  PilotOptions pilot_options(int finest) const { return {finest, options_.stability, options_.progress}; }
  /// A penalised curve needs more columns than it will use: twice the resolution that is best without
  /// penalties.
  void main_effects_and_lines() {
    int finest = options_.max_resolution_main;
    while (finest > 1 && (columns_of(data_, main_effects(data_, finest)) > options_.max_columns ||
                          curve_columns(data_, finest) > row_columns_))
      finest /= 2;
    const int resolution = options_.main_resolution > 0 ? std::min(options_.main_resolution, finest)
                                                        : resolution_by_pilots(finest);
    growth_.stages.push_back(penalised_anew(main_effects(data_, resolution), StageKind::main_effects));
    try_without_warps(resolution);
    growth_.stages.back().kind = StageKind::main_effects;
    straight_lines();
    effects_of_values();
  }

  int resolution_by_pilots(int finest) {
    PilotFits pilots = fit_pilots(data_, {}, pilot_options(finest));
    growth_.fits += pilots.selection.fits;
    growth_.additive = std::move(pilots.selection);
    growth_.additive_size = growth_count(data_, {}, finest);
    unpenalised_ = std::move(pilots.best);
    if (unpenalised_) unpenalised_->kind = StageKind::unpenalised_main_effects;
    int resolution = std::min(std::max(2 * growth_.additive.resolution, least_main_resolution), finest);
    while (resolution > 3 && resolution > growth_.additive.resolution &&
           curve_columns(data_, resolution) > main_columns)
      --resolution;
    return resolution;
  }

  /// The stage of another growth, if there is one.
  const Stage* earlier(StageKind kind) const {
    return options_.earlier != nullptr ? stage_of(*options_.earlier, kind) : nullptr;
  }

  /// Fits terms, from where the other growth ended with the stage of this kind.
  Stage penalised_anew(std::vector<GrownTerm> terms, StageKind kind) {
    if (const Stage* other = earlier(kind))
      start_from(
          *other, data_, [&](std::span<const GrownTerm> t) { return affordable(t); }, terms);
    return penalised(std::move(terms), kind == StageKind::triples        ? 3
                                       : kind < StageKind::certain_pairs ? 1
                                                                         : 2);
  }

  const Stage& mains() const { return growth_.stages[mains_]; }  // that interactions are added to

  /// Effects of single values beside the curves, where they explain more than chance and predict better.
  void effects_of_values() {
    std::vector<GrownTerm> terms = mains().terms;
    if (!options_.value_effects || !take(score_values(data_, mains()), most_value_effects, 1, terms)) return;
    Stage stage = penalised_anew(std::move(terms), StageKind::value_effects);
    stage.kind = StageKind::value_effects;
    const auto by_value = [](const GrownTerm& grown) { return grown.term.by_value(); };
    if (std::ranges::none_of(stage.terms, by_value) ||
        stage.loo() + price_of(stage) >= mains().loo() + price_of(mains()))
      return;
    growth_.stages.push_back(std::move(stage));
    mains_ = growth_.stages.size() - 1;
  }

  /// A straight line in a feature has corners behind a warp. Where there is almost no noise, they are what is
  /// left of the error; evenly spaced knots reach the line, and are kept for all stages where they do better.
  void try_without_warps(int resolution) {
    const auto warped = [](const Feature& feature) { return !feature.warp.identity(); };
    if (std::ranges::none_of(data_.features, warped) ||
        !almost_noise_free(growth_.stages.back().loo(), data_))
      return;
    GrowingData with_warps = std::exchange(data_, without_warps(data_));
    Stage even = penalised(main_effects(data_, resolution), 1);
    if (even.loo() < growth_.stages.back().loo())
      growth_.stages.back() = std::move(even);
    else
      data_ = std::move(with_warps);
  }

  /// The model that curves must beat.
  void straight_lines() {
    if (std::ranges::none_of(used_, [&](std::size_t j) { return becomes_line(data_.features[j]); })) return;
    const GrowingData lines = straightened(data_);
    lines_ = fit_penalised(lines, main_effects(lines, 1));
    lines_->kind = StageKind::lines;
    ++growth_.fits;
    if (options_.progress) options_.progress(1, 1, *lines_);
  }

  void interactions() {
    std::vector<GrownTerm> terms = coarser_mains(data_, mains());
    if (!add_pairs(terms)) return;
    Stage pairs = penalised_anew(terms, StageKind::pairs);
    if (pairs.order() < 2 && options_.interactions_only)
      pairs = penalised(with_pairs_that_stay(terms, pairs_are_given()), 2);
    if (pairs.order() < 2) return;
    bool noise_free = better_without_penalty(pairs);
    const bool last = options_.max_order < 3 || pairs_are_given() || used_.size() < 3;
    const int finest = options_.max_resolution_pair;
    if (!noise_free) fit_certain_pairs(pairs.terms.size());
    pairs.kind = StageKind::pairs;
    if (!noise_free) pairs = refine(std::move(pairs), {last ? finest : finest / 2, 1}, 2);
    noise_free = noise_free || better_without_penalty(pairs);
    growth_.stages.push_back(std::move(pairs));
    if (noise_free || last) return;
    terms = growth_.stages.back().terms;
    if (!add_triples(terms)) return;
    Stage triples = penalised_anew(std::move(terms), StageKind::triples);
    triples.kind = StageKind::triples;
    triples = refine(std::move(triples), {finest, finest / 2}, 3);
    if (triples.order() > 2) growth_.stages.push_back(std::move(triples));
  }

  /// Whether all pairs without penalties are much better: fitted only where there is so little noise that
  /// they may win.
  bool better_without_penalty(const Stage& pairs) {
    if (!unpenalised_pairs_ && options_.unpenalised_pairs && data_.response->fits_in_one_step() &&
        noise_share(pairs.loo(), data_) < little_noise)
      all_pairs_without_penalty();
    return unpenalised_pairs_ && unpenalised_pairs_->loo() < noise_free_share * pairs.loo() &&
           columns_of(data_, pairs.terms) > cheap_columns;
  }

  /// The paper's pairwise models, without penalties. Where there is almost no noise, they may be the best.
  void all_pairs_without_penalty() {
    std::vector<FeaturePair> pairs = given_;
    for (std::size_t a = 0; a < used_.size() && !pairs_are_given(); ++a)
      for (std::size_t b = a + 1; b < used_.size(); ++b) pairs.emplace_back(used_[a], used_[b]);
    if (pairs.empty()) return;
    int finest = 1;
    for (const std::size_t j : used_) finest = std::max(finest, data_.coordinates[j].finest);
    finest = std::min(finest, options_.max_resolution_pair);
    const BasisCount mains = growth_count(data_, {}, finest);
    const BasisCount all = growth_count(data_, pairs, finest);
    const auto affordable = [&](int resolution) {
      return all(resolution) <= static_cast<double>(std::min(options_.max_columns, row_columns_)) &&
             all(resolution) - mains(resolution) <= static_cast<double>(options_.interaction_columns);
    };
    if (!(all(1) < options_.stability * weight_sum_of(data_.rows)) || !affordable(1)) return;
    while (finest > 1 && !affordable(finest)) --finest;
    PilotFits pilots = fit_pilots(data_, pairs, pilot_options(finest));
    growth_.fits += pilots.selection.fits;
    growth_.pairwise = std::move(pilots.selection);
    unpenalised_pairs_ = std::move(pilots.best);
    if (unpenalised_pairs_) unpenalised_pairs_->kind = StageKind::unpenalised_pairs;
  }

  std::vector<Term> given_pairs(int resolution) const {
    std::vector<Term> pairs;
    for (const auto& [i, j] : given_) pairs.push_back(term_at(data_.coordinates, {i, j}, resolution));
    return pairs;
  }

  /// Given pairs are tried, or refused with an error; they are never left out silently.
  bool add_given_pairs(std::vector<GrownTerm>& terms) {
    std::size_t columns = 0;
    for (const int resolution : {first_pair_resolution, 1}) {
      std::vector<Term> candidates = given_pairs(resolution);
      columns = columns_of(data_, terms);
      for (const Term& term : candidates) columns += columns_of(data_, term);
      if (columns > options_.max_columns) continue;
      const std::vector<ScoredTerm> scored = scored_and_too_large(std::move(candidates));
      return take(scored, scored.size(), scored.size(), terms);
    }
    throw Error(
        ErrorCode::invalid_argument, "too_many_pair_columns",
        "With the given pairs the model has {columns} columns even where they are coarsest, more than "
        "the limit of {limit}.",
        {{"columns", columns}, {"limit", options_.max_columns}});
  }

  /// The scored terms, then those that have too many columns to be scored.
  std::vector<ScoredTerm> scored_and_too_large(std::vector<Term> candidates) {
    std::vector<ScoredTerm> scored = score_terms(data_, mains(), candidates);
    for (Term& term : candidates)
      if (columns_of(data_, term) > most_scored_columns) scored.push_back({std::move(term)});
    growth_.screened = scored;
    return scored;
  }

  bool add_pairs(std::vector<GrownTerm>& terms) {
    if (pairs_are_given()) return add_given_pairs(terms);
    if (options_.all_pairs) {
      const std::vector<ScoredTerm> scored =
          scored_and_too_large(pair_candidates(data_, mains(), first_pair_resolution, used_.size()));
      return take(scored, scored.size(), scored.size(), terms);
    }
    std::vector<ScoredTerm> scored = score_terms(
        data_, mains(), pair_candidates(data_, mains(), first_pair_resolution, most_paired_features));
    offer_other_forms(data_, mains(), scored);
    growth_.screened = scored;
    const std::size_t competing = scored.size();
    drop_expected_by_chance(scored, most_pairs, [](const ScoredTerm& s) { return s.gain; });
    if (const Stage* other = earlier(StageKind::pairs)) drop_lost_before(*other, scored);
    return take(scored, most_pairs, competing, terms);
  }

  /// A smaller stage with only those pairs whose gain is larger than that of the best pair expected by
  /// chance. The other pairs may still be worth it together, where features are dependent; that is the other
  /// stage.
  void fit_certain_pairs(std::size_t terms_of_all) {
    if (!options_.certain_pairs || options_.all_pairs || pairs_are_given()) return;
    std::vector<ScoredTerm> scored = growth_.screened;
    drop_expected_by_chance(scored, 1, [](const ScoredTerm& s) { return s.gain; });
    std::vector<GrownTerm> terms = coarser_mains(data_, mains());
    const double chance_gain = chance_gain_[2];
    if (!take(scored, most_pairs, scored.size(), terms) || terms.size() >= terms_of_all) {
      chance_gain_[2] = chance_gain;
      return;
    }
    Stage fewer = penalised_anew(std::move(terms), StageKind::certain_pairs);
    fewer.kind = StageKind::certain_pairs;
    fewer = refine(std::move(fewer), {options_.max_resolution_pair, 1}, 2);
    chance_gain_[2] = chance_gain;
    if (fewer.order() == 2) growth_.stages.push_back(std::move(fewer));
  }

  bool add_triples(std::vector<GrownTerm>& terms) {
    const Stage& pairs = growth_.stages.back();
    const std::vector<TripleCandidate> candidates =
        triple_candidates(data_, pairs, first_triple_resolution, most_scored_triples);
    std::vector<Term> plain;
    std::map<std::vector<std::size_t>, double> heredity;
    for (const TripleCandidate& candidate : candidates) {
      plain.push_back(candidate.term);
      heredity[candidate.term.features] = candidate.heredity;
    }
    std::vector<ScoredTerm> scored = score_terms(data_, pairs, std::move(plain));
    offer_other_forms(data_, pairs, scored);
    // A few hundred triples are many tests of the same residuals. Triples of strong pairs are more likely
    // real.
    const auto gain_of = [&](const ScoredTerm& s) { return s.gain + heredity.at(s.term.features); };
    std::stable_sort(scored.begin(), scored.end(),
                     [&](const ScoredTerm& a, const ScoredTerm& b) { return gain_of(a) > gain_of(b); });
    growth_.screened.insert(growth_.screened.end(), scored.begin(), scored.end());
    const std::size_t competing = std::max(scored.size(), candidates.size());
    drop_expected_by_chance(scored, most_triples, gain_of);
    if (const Stage* other = earlier(StageKind::triples)) drop_lost_before(*other, scored);
    return take(scored, most_triples, competing, terms);
  }

  /// Adds the first candidates to the terms, as many as the limits on columns allow.
  bool take(std::span<const ScoredTerm> scored, std::size_t most, std::size_t competing,
            std::vector<GrownTerm>& terms) {
    const std::size_t before = terms.size();
    const bool all = pairs_are_given();  // add_given_pairs has checked the limit
    std::size_t columns = columns_of(data_, terms);
    std::size_t of_interactions = interaction_columns(data_, terms);
    for (const ScoredTerm& candidate : scored) {
      if (terms.size() - before == most) break;
      const std::size_t own = columns_of(data_, candidate.term);
      if (!all && !affordable(columns + own, of_interactions + own)) continue;
      columns += own;
      of_interactions += own;
      terms.push_back({candidate.term});
      if (candidate.weight > 0) terms.back().weights = {candidate.weight};
    }
    const std::size_t taken = terms.size() - before;
    if (taken > 0)
      chance_gain_[terms.back().term.order()] =
          std::log(static_cast<double>(competing) / static_cast<double>(taken));
    return taken > 0;
  }

  bool affordable(std::size_t columns, std::size_t of_interactions) const {
    return columns <= std::min(options_.max_columns, row_columns_) &&
           of_interactions <= options_.interaction_columns;
  }
  bool affordable(std::span<const GrownTerm> terms) const {
    return affordable(columns_of(data_, terms), interaction_columns(data_, terms));
  }

  Stage refine(Stage stage, const Finest& finest, std::size_t order) {
    if (earlier(stage.kind) != nullptr) return stage;
    const StageKind kind = stage.kind;
    for (int round = 0; round < options_.refinements[order]; ++round) {
      bool any = false;
      std::vector<GrownTerm> terms = refined(
          data_, stage, finest, [&](std::span<const GrownTerm> t) { return affordable(t); }, any);
      if (!any) break;
      Stage next = penalised(std::move(terms), order);
      next.kind = kind;
      const double share = next.loo() / stage.loo();
      if (share < 1) growth_.refinements[order] = std::max(growth_.refinements[order], round + 1);
      if (share < 1) stage = std::move(next);
      // After the first round the terms are still coarse, and the second may gain more.
      if (!(share < (round == 0 ? 1.0 : worth_while))) break;
    }
    return stage;
  }

  /// Sorts the stages, lines first, then by order, and chooses one.
  void choose() {
    for (std::optional<Stage>* other : {&unpenalised_, &unpenalised_pairs_})
      if (*other) growth_.stages.push_back(std::move(**other));
    std::ranges::stable_sort(growth_.stages, {}, [](const Stage& stage) { return stage.order(); });
    const std::size_t lines = lines_ ? 1 : 0;
    if (lines_) growth_.stages.insert(growth_.stages.begin(), std::move(*lines_));
    growth_.chosen = choose_stage(growth_.stages, lines, options_.interactions_only, data_);
    growth_.penalised = !growth_.stages[growth_.chosen].penalties.empty();
  }

  GrowingData data_;
  const GrowOptions& options_;
  std::size_t row_columns_;  // with penalties there may be more columns than rows, up to this limit
  std::array<double, max_order + 1> chance_gain_{};  // expected by chance for one term, by order
  std::vector<std::size_t> used_;                    // features that vary
  std::vector<FeaturePair> given_;                   // of those, in rising order
  std::size_t mains_ = 0;                            // position of the stage that interactions are added to
  std::optional<Stage> lines_;
  std::optional<Stage> unpenalised_;
  std::optional<Stage> unpenalised_pairs_;
  Growth growth_;
};

}  // namespace

const Stage* stage_of(const Growth& growth, StageKind kind) {
  const auto found = std::ranges::find(growth.stages, kind, &Stage::kind);
  return found == growth.stages.end() ? nullptr : &*found;
}

Growth grow(const GrowingData& data, const GrowOptions& options) {
  if (columns_of(data, main_effects(data, 1)) <= options.max_columns) return Grower(data, options).run();
  const GrowingData lines = straightened(data);
  const std::size_t columns = columns_of(lines, main_effects(lines, 1));
  if (columns > options.max_columns)
    throw Error(ErrorCode::invalid_argument, "too_many_main_columns",
                "The main effects have {columns} columns even as straight lines, more than the limit of "
                "{limit}.",
                {{"columns", columns}, {"limit", options.max_columns}});
  return Grower(lines, options).run();
}

}  // namespace kore
