#include "select/dyadic.hpp"

#include <algorithm>
#include <limits>

#include "select/pilots.hpp"

namespace kore {
namespace {

constexpr int most_steps = 4;  // that the certificate follows a falling curve

class DyadicSearch {
 public:
  DyadicSearch(ResolutionCurve& curve, const DyadicOptions& options) : curve_(curve), options_(options) {}

  Selection run() {
    found_.largest_stable = largest_stable();
    if (curve_.stable(1, options_.stability)) found_.pilots.push_back(1);
    while (can_double() && cheap(2 * found_.pilots.back())) found_.pilots.push_back(2 * found_.pilots.back());
    look(found_.pilots.empty() ? std::vector<int>{1} : found_.pilots);
    take(best());
    while (can_double() && found_.resolution == found_.pilots.back()) {
      const int next = 2 * found_.pilots.back();
      look(std::span(&next, 1));
      found_.pilots.push_back(next);
      take(best());
    }
    solve();
    certify();
    found_.fits = static_cast<int>(found_.curve.size());
    return std::move(found_);
  }

 private:
  /// By bisection, because the number of columns grows with the resolution; at least 1. Resolutions beyond
  /// the one where the columns stop growing give the same model and are not tried.
  int largest_stable() const {
    const double finest = curve_.size().order() == 0 ? 1 : curve_.size().finest();
    int stable = 1;
    int beyond = static_cast<int>(std::min<double>(options_.max_resolution, finest));
    while (stable < beyond) {
      const int middle = stable + (beyond - stable + 1) / 2;
      if (curve_.stable(middle, options_.stability))
        stable = middle;
      else
        beyond = middle - 1;
    }
    return stable;
  }

  bool can_double() const {
    return !found_.pilots.empty() && found_.pilots.back() <= found_.largest_stable / 2;
  }

  bool cheap(int resolution) const { return curve_.size()(resolution) <= options_.cheap_columns; }

  void solve() {
    const std::vector<int> around = law_pilots(found_);
    found_.law = law_of_pilots(curve_, around);
    found_.plug_in = found_.law.usable()
                         ? optimal_resolution(found_.law, curve_.size(), curve_.weight_sum(),
                                              smoothness(curve_.size()), around.front(), around.back())
                         : found_.resolution;
  }

  /// Fits the law's solution first, with its neighbours where they are cheap; then the neighbours of the
  /// lowest, which may be lower still.
  void certify() {
    const int nearest = nearest_resolution(found_.plug_in, found_.largest_stable);
    const bool costly = curve_.size()(nearest) > options_.costly_columns;
    const int reach = !costly && cheap(nearest + options_.radius) ? options_.radius : 0;
    std::vector<int> first;
    for (int g = std::max(1, nearest - reach); g <= std::min(found_.largest_stable, nearest + reach); ++g)
      first.push_back(g);
    visit(first);
    const int radius = costly && between_others() ? 0 : options_.radius;
    const int most_visits = 2 * (radius - reach) + most_steps;
    for (int visits = 0; visits < most_visits && certified(found_.resolution); ++visits) {
      const int next = missing_neighbour(radius);
      if (next == 0) break;
      visit(std::span(&next, 1));
    }
    if (certified(found_.resolution))
      for (int g = found_.resolution - radius; g <= found_.resolution + radius; ++g)
        if (found_.curve.contains(g)) found_.certificate.push_back(g);
    std::ranges::sort(found_.certificate);
    found_.certificate.erase(std::unique(found_.certificate.begin(), found_.certificate.end()),
                             found_.certificate.end());
  }

  void visit(std::span<const int> resolutions) {
    look(resolutions);
    found_.certificate.insert(found_.certificate.end(), resolutions.begin(), resolutions.end());
    take(best());
  }

  /// The resolution lies within the certificate. A lower pilot outside of it is taken without neighbours.
  bool certified(int resolution) const {
    const auto [low, high] = std::ranges::minmax(found_.certificate);
    return low <= resolution && resolution <= high;
  }

  /// There are fits on both sides of the lowest so far, except beyond an end of the range.
  bool between_others() const {
    const bool below = found_.resolution == 1 || found_.curve.begin()->first < found_.resolution;
    const bool above =
        found_.resolution == found_.largest_stable || found_.curve.rbegin()->first > found_.resolution;
    return below && above;
  }

  /// The nearest resolution to the lowest so far that has not been fitted, first on the side whose nearest
  /// fitted error is lower; 0 if there is none.
  int missing_neighbour(int radius) const {
    const bool up_first = loo_beyond(1) < loo_beyond(-1);
    for (int distance = 1; distance <= radius; ++distance)
      for (const bool up : {up_first, !up_first}) {
        const int g = found_.resolution + (up ? distance : -distance);
        if (g >= 1 && g <= found_.largest_stable && !found_.curve.contains(g)) return g;
      }
    return 0;
  }

  /// The LOO of the nearest fitted resolution on one side of the lowest.
  double loo_beyond(int direction) const {
    auto at = found_.curve.find(found_.resolution);
    if (direction < 0 && at == found_.curve.begin()) return std::numeric_limits<double>::infinity();
    std::advance(at, direction);
    return at == found_.curve.end() ? std::numeric_limits<double>::infinity() : or_infinity(at->second.loo);
  }

  void look(std::span<const int> resolutions) {
    curve_.prepare(resolutions);
    for (const int g : resolutions) found_.curve.emplace(g, curve_.at(g));
  }

  int best() const {
    return std::ranges::min_element(found_.curve, {},
                                    [](const auto& point) { return or_infinity(point.second.loo); })
        ->first;
  }

  void take(int resolution) {
    found_.resolution = resolution;
    found_.loo = or_infinity(found_.curve.at(resolution).loo);
  }

  ResolutionCurve& curve_;
  const DyadicOptions& options_;
  Selection found_;
};

}  // namespace

std::vector<int> law_pilots(const Selection& selection) {
  const std::vector<int>& pilots = selection.pilots;
  if (pilots.size() < 2) return pilots;
  const auto lowest =
      std::ranges::min_element(pilots, {}, [&](int g) { return or_infinity(selection.curve.at(g).loo); });
  const auto first = lowest == pilots.begin() ? lowest : lowest - 1;
  const auto last = lowest + 1 == pilots.end() ? lowest : lowest + 1;
  return {*first, *last};
}

PilotCheck check_dyadic_pilots(const Selection& additive, const BasisCount& size, double n, double stability,
                               std::size_t features, Structure recommended) {
  PilotCheck diagnostic;
  diagnostic.n = n;
  diagnostic.features = features;
  diagnostic.effective_density = effective_density(n, size);
  diagnostic.condition_number = std::numeric_limits<double>::infinity();
  if (const std::vector<int> pilots = law_pilots(additive); pilots.size() == 2) {
    // Pilots are powers of two, so their quotient is a whole number.
    const PilotPoint coarse{1, size(pilots[0]), 0};
    const PilotPoint fine{pilots[1] / pilots[0], size(pilots[1]), 0};
    diagnostic.condition_number = pilot_condition_number(coarse, fine, n, smoothness(size));
  }
  diagnostic.law = additive.law;
  diagnostic.plug_in = additive.plug_in;
  diagnostic.stability_margin =
      stability - size(nearest_resolution(additive.plug_in, additive.largest_stable)) / n;
  judge(diagnostic, recommended);
  return diagnostic;
}

Selection select_dyadic(ResolutionCurve& curve, const DyadicOptions& options) {
  return DyadicSearch(curve, options).run();
}

}  // namespace kore
