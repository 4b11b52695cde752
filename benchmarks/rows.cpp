#include "benchmarks/rows.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace kore::bench {

Rows::Rows(std::size_t n, std::size_t d) : count(n), columns(d), x(n * d), y(n) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  for (double& value : x) value = uniform(generator);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t j = 0; j < d; ++j)
      y[r] += std::sin(2 * std::numbers::pi * static_cast<double>(1 + j % 3) * x[j * n + r]) /
              std::sqrt(static_cast<double>(d));
    y[r] += 0.1 * normal(generator);
  }
}

std::vector<Feature> Rows::features() const {
  return std::vector<Feature>(columns, Feature{"", {0, 1}, FeatureKind::spline});
}

Design Rows::design(int resolution, std::size_t pairs) const {
  if (pairs == 0) return Design::additive(features(), resolution, 3);
  std::vector<FeaturePair> neighbours;
  for (std::size_t p = 0; p < pairs; ++p) neighbours.emplace_back(2 * p, 2 * p + 1);
  return Design::pairwise(features(), neighbours, resolution, 3);
}

}  // namespace kore::bench
