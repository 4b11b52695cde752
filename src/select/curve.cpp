#include "kore/curve.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace kore {

ResolutionCurve::ResolutionCurve(BasisCount size, double n, Measure measure)
    : size_(std::move(size)), weight_sum_(n), measure_(std::move(measure)) {
  if (!(weight_sum_ > 0 && std::isfinite(weight_sum_))) {
    throw Error(ErrorCode::invalid_argument, "no_weight",
                "A resolution curve needs a positive number of rows.");
  }
  if (!measure_) {
    throw Error(ErrorCode::invalid_argument, "no_measure",
                "A resolution curve needs a function that measures its points.");
  }
}

const FitScore& ResolutionCurve::at(int resolution) {
  const auto known = points_.find(resolution);
  if (known != points_.end()) return known->second;
  prepare(std::span(&resolution, 1));
  return points_.at(resolution);
}

void ResolutionCurve::prepare(std::span<const int> resolutions) {
  std::vector<int> missing;
  for (const int resolution : resolutions) {
    if (resolution < 1) {
      throw Error(ErrorCode::invalid_argument, "resolution_too_low",
                  "Resolution {resolution} was asked for; the coarsest spline has resolution 1.",
                  {{"resolution", resolution}});
    }
    const bool asked_already = std::ranges::find(missing, resolution) != missing.end();
    if (!asked_already && !points_.contains(resolution)) missing.push_back(resolution);
  }
  if (missing.empty()) return;
  const std::vector<FitScore> scores = measure_(missing);
  if (scores.size() != missing.size()) {
    throw Error(
        ErrorCode::invalid_argument, "score_count_mismatch",
        "The measure of a resolution curve returned {scores} scores for {resolutions} resolutions; it "
        "owes one for each.",
        {{"scores", scores.size()}, {"resolutions", missing.size()}});
  }
  for (std::size_t i = 0; i < missing.size(); ++i) points_.emplace(missing[i], scores[i]);
}

bool ResolutionCurve::stable(int resolution, double stability) const {
  return size_(resolution) < stability * weight_sum_;
}

}  // namespace kore
