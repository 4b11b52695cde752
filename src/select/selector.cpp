#include "select/pilots.hpp"

#include <algorithm>
#include <initializer_list>

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One run of algorithm 1. It reads the curve through `look` alone, so that the result and its count of fits
/// depend on what this run needed and not on what the curve had measured before.
class Search {
 public:
  Search(ResolutionCurve& curve, const SelectorOptions& options) : curve_(curve), options_(options) {}

  Selection run();

 private:
  Selection skip();
  Selection fit_the_coarsest();
  void solve();
  void certify();
  void bridge_the_gap();
  int search_between(int lower, int upper);

  void look(std::span<const int> resolutions);
  double loo(int resolution);
  /// The first of `resolutions` with the smallest LOO.
  int best_of(std::span<const int> resolutions);
  void take(int resolution);
  Selection finish();

  ResolutionCurve& curve_;
  const SelectorOptions& options_;
  Selection found_;
};

Selection Search::run() {
  const std::optional<int> largest = largest_stable_resolution(curve_, options_);
  if (!largest && options_.skip_if_unstable) return skip();
  found_.largest_stable = largest.value_or(1);
  found_.pilots = pilot_resolutions(curve_, options_, found_.largest_stable);
  if (found_.pilots.empty()) return fit_the_coarsest();
  solve();
  certify();
  bridge_the_gap();
  return finish();
}

Selection Search::skip() {
  found_.skipped = true;
  found_.largest_stable = 0;
  found_.loo = infinity;
  return finish();
}

Selection Search::fit_the_coarsest() {
  const int coarsest = 1;
  look(std::span(&coarsest, 1));
  found_.resolution = coarsest;
  // There are too few rows to trust this LOO in a comparison with another family.
  found_.loo = options_.score_unstable ? loo(coarsest) : infinity;
  return finish();
}

void Search::solve() {
  look(found_.pilots);
  found_.law = law_of_pilots(curve_, found_.pilots);
  found_.plug_in = found_.law.usable()
                       ? optimal_resolution(found_.law, curve_.size(), curve_.weight_sum(),
                                            smoothness(curve_.size()), 1, found_.largest_stable)
                       : best_of(found_.pilots);
}

void Search::certify() {
  const int nearest = nearest_resolution(found_.plug_in, found_.largest_stable);
  const int lowest = std::max(1, nearest - options_.radius);
  const int highest = nearest + std::min(options_.radius, found_.largest_stable - nearest);
  for (int resolution = lowest; resolution <= highest; ++resolution) {
    if (curve_.stable(resolution, options_.stability)) found_.certificate.push_back(resolution);
  }
  look(found_.certificate);
  std::vector<int> seen = found_.pilots;  // pilots first: they win ties
  seen.insert(seen.end(), found_.certificate.begin(), found_.certificate.end());
  take(best_of(seen));
}

/// When the upper pilot beats the whole certificate, the optimum lies between the two. The published run
/// looks there only if the middle is clearly better than the pilot; the paper's text has no such probe.
void Search::bridge_the_gap() {
  if (found_.pilots.size() < 2 || found_.resolution != found_.pilots.back()) return;
  const int upper = found_.pilots.back();
  const int top = found_.certificate.back();
  if (upper <= top + 1) return;
  const int probe = (top + upper) / 2;
  if (!(loo(probe) < options_.bridge_gain * loo(upper))) return;
  const int bridge = search_between(top, upper);
  if (loo(bridge) < found_.loo) {
    take(bridge);
    found_.bridged = true;
  }
}

/// Halves `[lower, upper]` by the sign of the slope in its middle: the LOO is unimodal on the stable range.
int Search::search_between(int lower, int upper) {
  while (upper - lower > 1) {
    const int middle = (lower + upper) / 2;
    const int next = middle + 1;
    look(std::initializer_list<int>{middle, next});
    if (loo(middle) <= loo(next)) {
      upper = middle;
    } else {
      lower = next;
    }
  }
  const int ends[] = {lower, upper};
  look(ends);
  return best_of(ends);
}

void Search::look(std::span<const int> resolutions) {
  curve_.prepare(resolutions);
  for (const int resolution : resolutions) found_.curve.emplace(resolution, curve_.at(resolution));
}

double Search::loo(int resolution) {
  look(std::span(&resolution, 1));
  return or_infinity(found_.curve.at(resolution).loo);
}

int Search::best_of(std::span<const int> resolutions) {
  return *std::ranges::min_element(resolutions, {}, [this](int resolution) { return loo(resolution); });
}

void Search::take(int resolution) {
  found_.resolution = resolution;
  found_.loo = loo(resolution);
}

Selection Search::finish() {
  found_.fits = static_cast<int>(found_.curve.size());
  return std::move(found_);
}

}  // namespace

Selection select_resolution(ResolutionCurve& curve, const SelectorOptions& options) {
  require_valid(options);
  return Search(curve, options).run();
}

}  // namespace kore
