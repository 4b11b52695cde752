#include "grow/pilot_fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/parallel.hpp"
#include "kore/law.hpp"
#include "select/dyadic.hpp"
#include "select/pilots.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

class Pilots {
 public:
  Pilots(const GrowingData& data, std::span<const FeaturePair> pairs, const PilotOptions& options)
      : data_(without_warps(data)),
        pairs_(pairs),
        options_(options),
        curve_(growth_count(data, pairs, options.max_resolution), weight_sum_of(data.rows),
               [this](std::span<const int> wanted) { return fit(wanted); }) {}
  Pilots(const Pilots&) = delete;
  Pilots& operator=(const Pilots&) = delete;

  PilotFits run() {
    DyadicOptions options;
    options.max_resolution = options_.max_resolution;
    options.stability = options_.stability;
    found_.selection = select_dyadic(curve_, options);
    find_interval();
    // With a link, a fit without penalties may have no end: its left-out losses only solve for a resolution.
    if (!data_.response->fits_in_one_step()) found_.best.reset();
    return std::move(found_);
  }

 private:
  std::vector<GrownTerm> terms(int resolution) const {
    std::vector<GrownTerm> terms = main_effects(data_, resolution);
    for (const auto& [i, j] : pairs_) terms.push_back({term_at(data_.coordinates, {i, j}, resolution)});
    return terms;
  }

  std::size_t columns(int resolution) const { return design_of(data_, terms(resolution)).columns(); }

  /// Small fits have too little work in each step for several threads. Threads share whole fits instead.
  std::vector<FitScore> fit(std::span<const int> wanted) {
    const bool small =
        std::ranges::all_of(wanted, [this](int g) { return columns(g) < columns_worth_threads; });
    std::vector<FitScore> scores;
    if (!small || wanted.size() == 1) {
      for (const int g : wanted) scores.push_back(keep(g, attempt(data_, g)));
      return scores;
    }
    GrowingData alone = data_;
    alone.threads = 1;
    std::vector<std::optional<Stage>> stages(wanted.size());
    PhasesOfThreads phases(data_.phases, wanted.size());
    parallel_for(wanted.size(), data_.threads, [&](std::size_t i) {
      const std::size_t longest_first = wanted.size() - 1 - i;
      GrowingData own = alone;
      own.phases = phases.of_task(longest_first);
      stages[longest_first] = attempt(own, wanted[longest_first]);
    });
    for (std::size_t i = 0; i < wanted.size(); ++i) scores.push_back(keep(wanted[i], std::move(stages[i])));
    return scores;
  }

  /// Empty where the problem is singular.
  std::optional<Stage> attempt(const GrowingData& data, int resolution) const {
    try {
      return fit_unpenalised(data, terms(resolution));
    } catch (const NotPositiveDefinite&) {
      return std::nullopt;
    }
  }

  FitScore keep(int resolution, std::optional<Stage> stage) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!stage) return {columns(resolution), infinity, infinity, 1.0};
    const FitScore score{columns(resolution), stage->loo(), stage->press.loss, stage->press.max_leverage};
    if (options_.progress) options_.progress(pairs_.empty() ? 1 : 2, resolution, *stage);
    losses_[resolution] = stage->left_out_losses;
    if (!found_.best || stage->loo() < found_.best->loo()) found_.best = std::move(stage);
    return score;
  }

  /// The LOO of both pilots are means over the same rows, so their variances and covariance can be estimated.
  void find_interval() {
    Selection& selection = found_.selection;
    const std::vector<int> pilots = law_pilots(selection);
    selection.plug_in_low = 1;
    selection.plug_in_high = selection.largest_stable;
    if (pilots.size() < 2 || !losses_.contains(pilots[0]) || !losses_.contains(pilots[1])) return;
    const auto point = [&](int g) { return PilotPoint{g, curve_.size()(g), curve_.loo(g)}; };
    const PilotPoint a = point(pilots[0]);
    const PilotPoint b = point(pilots[1]);
    PilotNoise noise;
    const double n = curve_.weight_sum();
    for (std::size_t r = 0; r < data_.rows.rows(); ++r) {
      const double in_a = losses_.at(pilots[0])[r] - a.loo;
      const double in_b = losses_.at(pilots[1])[r] - b.loo;
      const double share = data_.rows.weight(r) / (n * n);
      noise.variance_a += share * in_a * in_a;
      noise.variance_b += share * in_b * in_b;
      noise.covariance += share * in_a * in_b;
    }
    const ResolutionInterval interval = optimal_interval(
        a, b, noise, curve_.size(), n, smoothness(curve_.size()), 1, selection.largest_stable);
    selection.plug_in_low = interval.low;
    selection.plug_in_high = interval.high;
  }

  const GrowingData data_;
  std::span<const FeaturePair> pairs_;
  const PilotOptions& options_;
  ResolutionCurve curve_;
  std::map<int, std::vector<double>> losses_;  // left out, of each row
  PilotFits found_;
};

}  // namespace

BasisCount growth_count(const GrowingData& data, std::span<const FeaturePair> pairs, int max_resolution) {
  BasisCount count{data.degree, {0, 0}, 1};
  const auto add = [&](std::initializer_list<std::size_t> term) {
    LimitedTerms own;
    bool limited = false;
    for (const std::size_t j : term) {
      const Coordinate& coordinate = data.coordinates[j];
      if (coordinate.finest == 0) return;
      if (coordinate.feature.kind == FeatureKind::category)
        own.count *= static_cast<std::size_t>(std::max(coordinate.feature.levels - 1, 0));
      if (coordinate.feature.kind != FeatureKind::spline) continue;
      own.finest.push_back(coordinate.finest);
      own.coarsest_cyclic.push_back(coordinate.feature.cyclic ? coordinate.coarsest() : 0);
      limited = limited || coordinate.finest < max_resolution || coordinate.feature.cyclic;
    }
    if (own.finest.empty())
      count.fixed += own.count;
    else if (limited)
      count.limited.push_back(std::move(own));
    else
      count.terms[own.finest.size() - 1] += own.count;
  };
  for (std::size_t j = 0; j < data.coordinates.size(); ++j) add({j});
  for (const auto& [i, j] : pairs) add({i, j});
  return count;
}

PilotFits fit_pilots(const GrowingData& data, std::span<const FeaturePair> pairs,
                     const PilotOptions& options) {
  const PhaseTimer timer(data.phases, pairs.empty() ? "pilots" : "pairs without penalty");
  return Pilots(data, pairs, options).run();
}

}  // namespace kore
