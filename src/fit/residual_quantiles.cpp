#include "fit/residual_quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kore {
namespace {

constexpr std::size_t most_quantiles = 4096;

}  // namespace

std::vector<double> residual_quantiles(std::vector<WeightedResidual> residuals) {
  std::sort(residuals.begin(), residuals.end(),
            [](const WeightedResidual& a, const WeightedResidual& b) { return a.residual < b.residual; });
  double total = 0;
  for (const WeightedResidual& r : residuals) total += r.weight;
  const std::size_t count = std::min(most_quantiles, residuals.size());
  std::vector<double> quantiles;
  std::size_t at = 0;
  double passed = 0;
  for (std::size_t q = 0; q < count; ++q) {
    const double rank = total * (static_cast<double>(q) + 0.5) / static_cast<double>(count);
    while (at + 1 < residuals.size() && passed + residuals[at].weight < rank)
      passed += residuals[at++].weight;
    quantiles.push_back(residuals[at].residual);
  }
  return quantiles;
}

std::vector<double> residual_quantiles(const std::vector<double>& residuals, const RowBlock& rows) {
  std::vector<WeightedResidual> kept;
  for (std::size_t r = 0; r < residuals.size(); ++r)
    if (rows.weight(r) > 0) kept.push_back({residuals[r], rows.weight(r)});
  return residual_quantiles(std::move(kept));
}

}  // namespace kore
