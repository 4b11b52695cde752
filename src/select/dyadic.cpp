#include "select/dyadic.hpp"

#include <algorithm>

#include "select/pilots.hpp"

namespace kore {
namespace {

constexpr int most_steps = 4;  // that the certificate follows a falling curve beyond its radius

class DyadicSearch {
 public:
  DyadicSearch(ResolutionCurve& curve, const DyadicOptions& options) : curve_(curve), options_(options) {}

  Selection run() {
    found_.largest_stable = 1;
    for (int g = 1; g <= options_.max_resolution && curve_.stable(g, options_.stability); ++g)
      found_.largest_stable = g;
    if (curve_.stable(1, options_.stability))
      for (int g = 1; g <= found_.largest_stable && (g == 1 || cheap(g)); g *= 2) found_.pilots.push_back(g);
    look(found_.pilots.empty() ? std::vector<int>{1} : found_.pilots);
    take(best());
    for (int g = found_.pilots.empty() ? 2 : 2 * found_.pilots.back(); g <= found_.largest_stable; g *= 2) {
      if (found_.resolution != found_.pilots.back()) break;
      look(std::span(&g, 1));
      found_.pilots.push_back(g);
      take(best());
    }
    solve();
    certify();
    found_.fits = static_cast<int>(found_.curve.size());
    return std::move(found_);
  }

 private:
  bool cheap(int resolution) const { return curve_.size()(resolution) <= options_.cheap_columns; }

  void solve() {
    const std::vector<int> around = law_pilots(found_);
    found_.law = law_of_pilots(curve_, around);
    found_.plug_in = found_.law.usable()
                         ? optimal_resolution(found_.law, curve_.size(), curve_.rows(),
                                              smoothness(curve_.size()), around.front(), around.back())
                         : found_.resolution;
  }

  void certify() {
    const int nearest = nearest_resolution(found_.plug_in, found_.largest_stable);
    int low = std::max(1, nearest - options_.radius);
    int high = std::min(found_.largest_stable, nearest + options_.radius);
    for (int g = low; g <= high; ++g) found_.certificate.push_back(g);
    look(found_.certificate);
    take(best());
    for (int step = 0; step < most_steps; ++step) {
      if (found_.resolution == low && low > 1)
        extend(--low);
      else if (found_.resolution == high && high < found_.largest_stable)
        extend(++high);
      else
        break;
    }
    std::ranges::sort(found_.certificate);
  }

  void extend(int resolution) {
    look(std::span(&resolution, 1));
    found_.certificate.push_back(resolution);
    take(best());
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

Selection select_dyadic(ResolutionCurve& curve, const DyadicOptions& options) {
  return DyadicSearch(curve, options).run();
}

}  // namespace kore
