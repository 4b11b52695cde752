#pragma once

#include "kore/selector.hpp"

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace kore {

/// A resolution curve with invented LOO values, which remembers what it was asked for together.
class MadeUpCurve {
 public:
  MadeUpCurve(BasisCount size, double n, std::function<double(int)> loo)
      : curve(std::move(size), n, [this](std::span<const int> resolutions) { return measure(resolutions); }),
        loo_(std::move(loo)) {}
  /// A table of the interesting values; every other resolution has `otherwise`.
  MadeUpCurve(BasisCount size, double n, std::map<int, double> table, double otherwise)
      : MadeUpCurve(std::move(size), n, [table = std::move(table), otherwise](int resolution) {
          const auto found = table.find(resolution);
          return found == table.end() ? otherwise : found->second;
        }) {}
  MadeUpCurve(const MadeUpCurve&) = delete;
  MadeUpCurve& operator=(const MadeUpCurve&) = delete;

  ResolutionCurve curve;
  std::vector<std::vector<int>> passes;  ///< What was measured, pass by pass.

 private:
  std::vector<FitScore> measure(std::span<const int> resolutions) {
    passes.emplace_back(resolutions.begin(), resolutions.end());
    std::vector<FitScore> scores;
    for (const int resolution : resolutions) {
      FitScore score;
      score.p = static_cast<std::size_t>(curve.size()(resolution));
      score.loo = loo_(resolution);
      scores.push_back(score);
    }
    return scores;
  }

  std::function<double(int)> loo_;
};

}  // namespace kore
