#include "grow/grow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "grow/choice.hpp"
#include "kore/law.hpp"
#include "select/dyadic.hpp"
#include "select/pilots.hpp"

namespace kore {
namespace {

constexpr int least_main_resolution = 12;
constexpr double main_columns = 1000;  // of all main effects together, as far as a coarse curve allows
constexpr int first_pair_resolution = 2;
constexpr std::size_t most_pairs = 100;
constexpr int first_triple_resolution = 1;
constexpr std::size_t most_triples = 40;
constexpr std::size_t most_scored_triples = 200;
constexpr double filled = 0.1;        // effective parameters per column beyond which a term is refined
constexpr double worth_while = 0.99;  // of the LOO, for another round
constexpr int rounds = 3;
constexpr int least_kept_resolution = 4;
constexpr std::size_t columns_per_row = 4;
constexpr std::size_t cheap_columns = 300;
constexpr double noise_free_share = 0.2;  // of the LOO with penalties, where those are only in the way

/// The largest resolutions of interactions.
struct Finest {
  int pairs = 1;
  int triples = 1;
};

/// Terms that use a tenth of their columns or more get twice as many intervals in every coordinate. A
/// curvature of the same function is a weaker one between finer coefficients, so that weights grow.
std::vector<GrownTerm> refined(const GrowingData& data, const Stage& stage, const Finest& finest, bool& any) {
  std::vector<GrownTerm> terms = stage.terms;
  any = false;
  for (GrownTerm& grown : terms) {
    if (grown.term.order() < 2 || grown.parameters < filled * static_cast<double>(grown.columns)) continue;
    for (std::size_t c = 0; c < grown.term.order(); ++c) {
      int& resolution = grown.term.resolutions[c];
      const Coordinate& coordinate = data.coordinates[grown.term.features[c]];
      if (coordinate.feature.kind != FeatureKind::spline) continue;
      const int next = std::min(
          {2 * resolution, coordinate.finest, grown.term.order() == 2 ? finest.pairs : finest.triples});
      if (next <= resolution) continue;
      resolution = next;
      for (double& weight : grown.weights) weight *= grown.term.order() == 2 ? 2.0 : 1.6;
      any = true;
    }
  }
  return terms;
}

/// The law speaks of knots evenly spaced in the features themselves. Where there is next to no noise that
/// matters: behind a warp, which has corners, a smooth function is smooth no more.
GrowingData without_warps(GrowingData data) {
  for (Feature& feature : data.features) feature.warp = {};
  return data;
}

class Grower {
 public:
  Grower(const GrowingData& data, const GrowOptions& options)
      : data_(data), plain_(without_warps(data)), options_(options) {
    // Penalties carry more columns than rows, but not any number.
    options_.max_columns = std::min(options_.max_columns, columns_per_row * data.rows.rows() + 50);
  }

  Growth run() {
    for (std::size_t j = 0; j < data_.coordinates.size(); ++j)
      if (data_.coordinates[j].finest > 0) used_.push_back(j);
    main_effects();
    if (options_.max_order >= 2 && used_.size() > 1) interactions();
    choose();
    return std::move(growth_);
  }

 private:
  std::vector<GrownTerm> mains(int resolution) const {
    std::vector<GrownTerm> terms;
    for (const std::size_t j : used_) terms.push_back({term_at(data_.coordinates, {j}, resolution)});
    return terms;
  }

  std::vector<GrownTerm> with_pairs(int resolution) const {
    std::vector<GrownTerm> terms = mains(resolution);
    for (const FeaturePair& pair : pairs_)
      terms.push_back({term_at(data_.coordinates, {pair.first, pair.second}, resolution)});
    return terms;
  }

  Stage penalised(std::vector<GrownTerm> terms, std::size_t order) {
    Stage stage = fit_penalised(data_, std::move(terms));
    for (const GrownTerm& grown : stage.terms) stage.luck += luck_[grown.term.order()];
    ++growth_.fits;
    if (options_.progress) options_.progress(order, stage.resolution(order), stage);
    return stage;
  }

  /// The law's curve: fits without penalty, of which the best is kept.
  Selection solve_resolution(std::span<const FeaturePair> pairs, int finest, std::optional<Stage>& best) {
    pairs_.assign(pairs.begin(), pairs.end());
    const std::size_t order = pairs.empty() ? 1 : 2;
    ResolutionCurve curve(basis_count(data_.features, pairs_, data_.degree), total_weight(),
                          [&](std::span<const int> wanted) {
                            std::vector<FitScore> scores;
                            for (const int resolution : wanted)
                              scores.push_back(unpenalised(resolution, order, best));
                            return scores;
                          });
    DyadicOptions options;
    options.max_resolution = finest;
    options.stability = options_.stability;
    pilot_residuals_.clear();
    Selection selection = select_dyadic(curve, options);
    growth_.fits += selection.fits;
    find_interval(curve, selection);
    return selection;
  }

  /// Both pilots' LOO are means over the same rows, so that their noise is known, also how it goes together.
  void find_interval(ResolutionCurve& curve, Selection& selection) const {
    const std::vector<int> pilots = law_pilots(selection);
    selection.plug_in_low = 1;
    selection.plug_in_high = selection.largest_stable;
    if (pilots.size() < 2 || !pilot_residuals_.contains(pilots[0]) || !pilot_residuals_.contains(pilots[1]))
      return;
    const auto point = [&](int g) { return PilotPoint{g, curve.size()(g), curve.loo(g)}; };
    const PilotPoint a = point(pilots[0]);
    const PilotPoint b = point(pilots[1]);
    PilotNoise noise;
    const double n = total_weight();
    for (std::size_t r = 0; r < data_.rows.rows(); ++r) {
      const double in_a = std::pow(pilot_residuals_.at(pilots[0])[r], 2) - a.loo;
      const double in_b = std::pow(pilot_residuals_.at(pilots[1])[r], 2) - b.loo;
      const double share = data_.rows.weight(r) / (n * n);
      noise.variance_a += share * in_a * in_a;
      noise.variance_b += share * in_b * in_b;
      noise.covariance += share * in_a * in_b;
    }
    const ResolutionInterval interval =
        optimal_interval(a, b, noise, curve.size(), n, smoothness(curve.size()), 1, selection.largest_stable);
    selection.plug_in_low = interval.low;
    selection.plug_in_high = interval.high;
  }

  FitScore unpenalised(int resolution, std::size_t order, std::optional<Stage>& best) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<GrownTerm> terms = with_pairs(resolution);
    const std::size_t columns = design_of(data_, terms).columns();
    try {
      Stage stage = fit_unpenalised(plain_, terms);
      const FitScore score{columns, stage.loo(), stage.press.residual_squares, stage.press.max_leverage};
      if (options_.progress) options_.progress(order, resolution, stage);
      pilot_residuals_[resolution] = stage.loo_residuals;
      if (!best || stage.loo() < best->loo()) best = std::move(stage);
      return score;
    } catch (const NotPositiveDefinite&) {
      return {columns, infinity, infinity, 1.0};
    }
  }

  /// A penalised curve needs a space with room to spare: twice the resolution that is best without a penalty.
  void main_effects() {
    int finest = options_.max_resolution_main;
    const auto columns = [&](int resolution) {
      return static_cast<double>(columns_of(data_, mains(resolution)));
    };
    while (finest > 1 && columns(finest) > static_cast<double>(options_.max_columns)) finest /= 2;
    growth_.additive = solve_resolution({}, finest, unpenalised_);
    int resolution = std::clamp(2 * growth_.additive.resolution, least_main_resolution, std::max(finest, 1));
    resolution = std::min(resolution, options_.max_resolution_main);
    while (resolution > 3 && resolution > growth_.additive.resolution && columns(resolution) > main_columns)
      --resolution;
    growth_.stages.push_back(penalised(mains(resolution), 1));
    straight_lines();
  }

  /// What curves have to beat.
  void straight_lines() {
    if (std::ranges::none_of(used_,
                             [&](std::size_t j) { return data_.features[j].kind == FeatureKind::spline; }))
      return;
    lines_ = fit_penalised(straightened(data_), mains(1));
    ++growth_.fits;
    if (options_.progress) options_.progress(1, 1, *lines_);
  }

  void interactions() {
    all_pairs_without_penalty();
    std::vector<GrownTerm> terms = mains_to_measure();
    if (!add_pairs(terms)) return;
    Stage pairs = penalised(std::move(terms), 2);
    if (pairs.order() < 2) return;
    const bool noise_free = unpenalised_pairs_ &&
                            unpenalised_pairs_->loo() < noise_free_share * pairs.loo() &&
                            columns_of(data_, pairs.terms) > cheap_columns;
    const bool last = options_.max_order < 3 || !options_.given.empty() || used_.size() < 3;
    const int finest = options_.max_resolution_pair;
    if (!noise_free) sure_pairs(pairs.terms.size());
    if (!noise_free) pairs = refine(std::move(pairs), {last ? finest : finest / 2, 1}, 2);
    growth_.stages.push_back(std::move(pairs));
    if (noise_free || last) return;
    terms = growth_.stages.back().terms;
    if (!add_triples(terms)) return;
    Stage triples = refine(penalised(std::move(terms), 3), {finest, finest / 2}, 3);
    if (triples.order() > 2) growth_.stages.push_back(std::move(triples));
  }

  /// Main effects for the stages to come, each no finer than twice what its penalty left of it.
  std::vector<GrownTerm> mains_to_measure() const {
    std::vector<GrownTerm> terms = growth_.stages.front().terms;
    for (GrownTerm& grown : terms) {
      int& resolution = grown.term.resolutions[0];
      const int enough = std::max(least_kept_resolution, static_cast<int>(std::ceil(2 * grown.parameters)));
      if (data_.features[grown.term.features[0]].kind != FeatureKind::spline || enough >= resolution)
        continue;
      resolution = enough;
      grown.weights.clear();
    }
    return terms;
  }

  /// Where there is next to no noise, no penalty is best; the paper's pairwise family can be that good.
  void all_pairs_without_penalty() {
    std::vector<FeaturePair> pairs = options_.given;
    for (std::size_t a = 0; a < used_.size() && options_.given.empty(); ++a)
      for (std::size_t b = a + 1; b < used_.size(); ++b) pairs.emplace_back(used_[a], used_[b]);
    const BasisCount size = basis_count(data_.features, pairs, data_.degree);
    if (!(size(1) < options_.stability * total_weight()) ||
        size(1) > static_cast<double>(options_.max_columns))
      return;
    int finest = options_.max_resolution_pair;
    while (finest > 1 && size(finest) > static_cast<double>(options_.max_columns)) --finest;
    growth_.pairwise = solve_resolution(pairs, finest, unpenalised_pairs_);
  }

  bool add_pairs(std::vector<GrownTerm>& terms) {
    std::vector<Term> candidates;
    for (const auto& [i, j] : options_.given)
      candidates.push_back(
          term_at(data_.coordinates, {std::min(i, j), std::max(i, j)}, first_pair_resolution));
    if (options_.given.empty())
      candidates = pair_candidates(data_, growth_.stages.front(), first_pair_resolution);
    std::vector<ScoredTerm> scored = score_terms(data_, growth_.stages.front(), std::move(candidates));
    growth_.screened = scored;
    if (options_.all_pairs || !options_.given.empty())
      return take(scored, scored.size(), scored.size(), terms);
    const std::size_t competing = scored.size();
    drop_lucky(scored, most_pairs, [](const ScoredTerm& s) { return s.gain; });
    return take(scored, most_pairs, competing, terms);
  }

  /// Pairs that promise more by themselves than the luckiest would are a stage of their own. Where features
  /// go together, the others may still be worth it in company.
  void sure_pairs(std::size_t terms_of_all) {
    if (options_.all_pairs || !options_.given.empty()) return;
    std::vector<ScoredTerm> scored = growth_.screened;
    drop_lucky(scored, 1, [](const ScoredTerm& s) { return s.gain; });
    std::vector<GrownTerm> terms = mains_to_measure();
    const double luck = luck_[2];
    if (!take(scored, most_pairs, scored.size(), terms) || terms.size() >= terms_of_all) {
      luck_[2] = luck;
      return;
    }
    Stage fewer = refine(penalised(std::move(terms), 2), {options_.max_resolution_pair, 1}, 2);
    luck_[2] = luck;
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
    // A few hundred triples are many tests of the same residuals; those of strong pairs are likelier.
    const auto promise = [&](const ScoredTerm& s) { return s.gain + heredity.at(s.term.features); };
    std::stable_sort(scored.begin(), scored.end(),
                     [&](const ScoredTerm& a, const ScoredTerm& b) { return promise(a) > promise(b); });
    growth_.screened.insert(growth_.screened.end(), scored.begin(), scored.end());
    const std::size_t competing = std::max(scored.size(), candidates.size());
    drop_lucky(scored, most_triples, promise);
    return take(scored, most_triples, competing, terms);
  }

  /// Where more candidates compete than there are places, the winners are partly lucky, and leave-one-out,
  /// which does not choose again, would believe them: noise alone lets the best `places` of them gain more
  /// than about the logarithm of how many compete for each.
  static void drop_lucky(std::vector<ScoredTerm>& scored, std::size_t places, const auto& promise) {
    if (scored.size() <= places) return;
    const double luck = std::log(static_cast<double>(scored.size()) / static_cast<double>(places));
    std::erase_if(scored, [&](const ScoredTerm& s) { return promise(s) <= luck; });
  }

  /// The first of them, as many as the columns of a stage allow.
  bool take(std::span<const ScoredTerm> scored, std::size_t most, std::size_t competing,
            std::vector<GrownTerm>& terms) {
    const std::size_t before = terms.size();
    std::size_t columns = columns_of(data_, terms);
    for (const ScoredTerm& candidate : scored) {
      if (terms.size() - before == most) break;
      const std::size_t own = columns_of(data_, candidate.term);
      if (columns + own > options_.max_columns) continue;
      columns += own;
      terms.push_back({candidate.term, {candidate.weight}});
    }
    const std::size_t taken = terms.size() - before;
    if (taken > 0)
      luck_[terms.back().term.order()] =
          std::log(static_cast<double>(competing) / static_cast<double>(taken));
    return taken > 0;
  }

  Stage refine(Stage stage, const Finest& finest, std::size_t order) {
    for (int round = 0; round < rounds; ++round) {
      bool any = false;
      std::vector<GrownTerm> terms = refined(data_, stage, finest, any);
      if (columns_of(data_, terms) > options_.max_columns)  // triples need them more
        terms = refined(data_, stage, {1, finest.triples}, any);
      if (!any || columns_of(data_, terms) > options_.max_columns) break;
      Stage next = penalised(std::move(terms), order);
      const double share = next.loo() / stage.loo();
      if (share < 1) stage = std::move(next);
      // The first round is coarse still, and may hide what the second finds.
      if (!(share < (round == 0 ? 1.0 : worth_while))) break;
    }
    return stage;
  }

  /// Lines first, then by rising order.
  void choose() {
    for (std::optional<Stage>* other : {&unpenalised_, &unpenalised_pairs_})
      if (*other) growth_.stages.push_back(std::move(**other));
    std::ranges::stable_sort(growth_.stages, {}, [](const Stage& stage) { return stage.order(); });
    const std::size_t lines = lines_ ? 1 : 0;
    if (lines_) growth_.stages.insert(growth_.stages.begin(), std::move(*lines_));
    growth_.chosen = choose_stage(growth_.stages, lines, options_.interactions_only, data_.rows);
    growth_.penalised = !growth_.stages[growth_.chosen].penalties.empty();
  }

  double total_weight() const {
    double weight = 0;
    for (std::size_t r = 0; r < data_.rows.rows(); ++r) weight += data_.rows.weight(r);
    return weight;
  }

  const GrowingData& data_;
  const GrowingData plain_;
  GrowOptions options_;
  std::array<double, max_order + 1> luck_{};  // of a term, by order
  std::vector<std::size_t> used_;             // features that vary
  std::vector<FeaturePair> pairs_;            // of the fits without penalty
  std::map<int, std::vector<double>> pilot_residuals_;
  std::optional<Stage> lines_;
  std::optional<Stage> unpenalised_;
  std::optional<Stage> unpenalised_pairs_;
  Growth growth_;
};

}  // namespace

Growth grow(const GrowingData& data, const GrowOptions& options) { return Grower(data, options).run(); }

}  // namespace kore
