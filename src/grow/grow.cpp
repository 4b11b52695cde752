#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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
constexpr std::size_t most_triples = 30;
constexpr std::size_t most_scored_triples = 200;
constexpr double bending = 1.05;  // effective parameters of a main effect beyond those of a line
// A weight that maximises the likelihood follows the noise: with `s` the share that the strongest directions
// of its term keep, the fit has `2 (1 - s)` parameters more than with the weight given. A term in doubt keeps
// about a quarter.
constexpr double weight_parameters = 1.5;
constexpr double filled = 0.1;        // effective parameters per column beyond which a term is refined
constexpr double worth_while = 0.99;  // of the LOO, for another round
constexpr int rounds = 3;

/// Weights of penalties that the rows themselves have chosen: of interactions, and of main effects that bend.
double chosen_weights(const Stage& stage) {
  return static_cast<double>(std::ranges::count_if(stage.terms, [](const GrownTerm& grown) {
    return grown.term.order() > 1 || grown.parameters > bending;
  }));
}

/// Whether `next` predicts left-out rows better than `now` by more than one standard error of the difference.
/// Where errors are heavy-tailed, a few rows make all the difference, and it means nothing. Leave-one-out
/// takes the weights as given, though every row had a say in them: between penalised fits they have a price,
/// as parameters have.
bool clearly_better(const Stage& next, const Stage& now, const RowBlock& rows) {
  const auto gain = [&](std::size_t r) {
    return now.loo_residuals[r] * now.loo_residuals[r] - next.loo_residuals[r] * next.loo_residuals[r];
  };
  double weight = 0;
  double mean = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    weight += rows.weight(r);
    mean += rows.weight(r) * gain(r);
  }
  mean /= weight;
  double squares = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) squares += rows.weight(r) * std::pow(gain(r) - mean, 2);
  const double more =
      next.penalties.empty() || now.penalties.empty() ? 0 : chosen_weights(next) - chosen_weights(now);
  const double price = 2 * weight_parameters * more * next.noise / weight;
  return mean - price > std::sqrt(squares) / weight;
}

/// Terms that use a tenth of their columns or more get twice as many intervals in every coordinate. A
/// curvature of the same function is a weaker one between finer coefficients, so that weights grow.
std::vector<GrownTerm> refined(const GrowingData& data, const Stage& stage, int finest, bool& any) {
  std::vector<GrownTerm> terms = stage.terms;
  any = false;
  for (GrownTerm& grown : terms) {
    if (grown.term.order() < 2 || grown.parameters < filled * static_cast<double>(grown.columns)) continue;
    for (std::size_t c = 0; c < grown.term.order(); ++c) {
      int& resolution = grown.term.resolutions[c];
      const Coordinate& coordinate = data.coordinates[grown.term.features[c]];
      if (coordinate.feature.kind != FeatureKind::spline) continue;
      const int next = std::min({2 * resolution, coordinate.finest, finest});
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
      : data_(data), plain_(without_warps(data)), options_(options) {}

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
    straight_lines();
    growth_.stages.push_back(penalised(mains(resolution), 1));
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
    std::vector<GrownTerm> terms = growth_.stages.front().terms;
    if (!add_pairs(terms)) return;
    Stage pairs = refine(penalised(std::move(terms), 2), options_.max_resolution_pair, 2);
    if (pairs.order() < 2) return;
    terms = growth_.stages.front().terms;
    if (add_sure_pairs(terms) && terms.size() < pairs.terms.size()) {
      Stage fewer = refine(penalised(std::move(terms), 2), options_.max_resolution_pair, 2);
      if (fewer.order() == 2) growth_.stages.push_back(std::move(fewer));
    }
    growth_.stages.push_back(std::move(pairs));
    if (options_.max_order < 3 || !options_.given.empty()) return;
    terms = growth_.stages.back().terms;
    if (!add_triples(terms)) return;
    Stage triples = refine(penalised(std::move(terms), 3), options_.max_resolution_pair / 2, 3);
    if (triples.order() > 2) growth_.stages.push_back(std::move(triples));
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
    if (options_.all_pairs || !options_.given.empty()) return take(scored, scored.size(), terms);
    if (scored.size() > most_pairs) drop_lucky(scored, [](const ScoredTerm& s) { return s.gain; });
    return take(scored, most_pairs, terms);
  }

  /// Pairs that promise more by themselves than the luckiest would. Where features go together, the others
  /// may still be worth it in company.
  bool add_sure_pairs(std::vector<GrownTerm>& terms) {
    std::vector<ScoredTerm> scored = growth_.screened;
    if (options_.all_pairs || !options_.given.empty()) return false;
    drop_lucky(scored, [](const ScoredTerm& s) { return s.gain; });
    return take(scored, most_pairs, terms);
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
    if (scored.size() > most_triples) drop_lucky(scored, promise);
    return take(scored, most_triples, terms);
  }

  /// The winners of a competition are partly lucky, and leave-one-out, which does not choose again, would
  /// believe them: of `K` candidates, noise alone lets one gain about `log K`.
  static void drop_lucky(std::vector<ScoredTerm>& scored, const auto& promise) {
    const double luck = std::log(1 + static_cast<double>(scored.size()));
    std::erase_if(scored, [&](const ScoredTerm& s) { return promise(s) <= luck; });
  }

  /// The first of them, as many as the columns of a stage allow.
  bool take(std::span<const ScoredTerm> scored, std::size_t most, std::vector<GrownTerm>& terms) const {
    const std::size_t before = terms.size();
    std::size_t columns = columns_of(data_, terms);
    for (const ScoredTerm& candidate : scored) {
      if (terms.size() - before == most) break;
      const std::size_t own = columns_of(data_, candidate.term);
      if (columns + own > options_.max_columns) continue;
      columns += own;
      terms.push_back({candidate.term, {candidate.weight}});
    }
    return terms.size() > before;
  }

  Stage refine(Stage stage, int finest, std::size_t order) {
    for (int round = 0; round < rounds; ++round) {
      bool any = false;
      std::vector<GrownTerm> terms = refined(data_, stage, finest, any);
      if (!any || columns_of(data_, terms) > options_.max_columns) break;
      Stage next = penalised(std::move(terms), order);
      const double share = next.loo() / stage.loo();
      if (share < 1) stage = std::move(next);
      if (!(share < worth_while)) break;
    }
    return stage;
  }

  void choose() {
    for (std::size_t i = 1; i < growth_.stages.size(); ++i) {
      const Stage& now = growth_.stages[growth_.chosen];
      if (clearly_better(growth_.stages[i], now, data_.rows) ||
          (options_.interactions_only && now.order() == 1))
        growth_.chosen = i;
    }
    if (lines_ && !options_.interactions_only &&
        !clearly_better(growth_.stages[growth_.chosen], *lines_, data_.rows)) {
      growth_.stages.push_back(std::move(*lines_));
      growth_.chosen = growth_.stages.size() - 1;
    }
    for (std::optional<Stage>* other : {&unpenalised_, &unpenalised_pairs_}) {
      if (!*other || (options_.interactions_only && (*other)->order() == 1)) continue;
      if (!clearly_better(**other, growth_.stages[growth_.chosen], data_.rows)) continue;
      growth_.stages.push_back(std::move(**other));
      growth_.chosen = growth_.stages.size() - 1;
      growth_.penalised = false;
    }
  }

  double total_weight() const {
    double weight = 0;
    for (std::size_t r = 0; r < data_.rows.rows(); ++r) weight += data_.rows.weight(r);
    return weight;
  }

  const GrowingData& data_;
  const GrowingData plain_;
  const GrowOptions& options_;
  std::vector<std::size_t> used_;   // features that vary
  std::vector<FeaturePair> pairs_;  // of the fits without penalty
  std::map<int, std::vector<double>> pilot_residuals_;
  std::optional<Stage> lines_;
  std::optional<Stage> unpenalised_;
  std::optional<Stage> unpenalised_pairs_;
  Growth growth_;
};

}  // namespace

Growth grow(const GrowingData& data, const GrowOptions& options) { return Grower(data, options).run(); }

}  // namespace kore
