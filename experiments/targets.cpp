#include "experiments/targets.hpp"

#include "experiments/random/generator.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kore::experiments {
namespace {

using std::numbers::pi;

void require_coordinates(std::size_t dimension, const char* target) {
  if (dimension == 0) {
    throw Error(ErrorCode::invalid_argument,
                std::string("The ") + target + " target needs at least one coordinate, but got 0.");
  }
}

/// The weak main effects that the interaction targets share.
double weighted_sines(std::span<const double> weights, std::span<const double> x) {
  double sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * std::sin(2 * pi * x[j]);
  return sum;
}

/// Brings the interaction targets to a similar spread whatever their size.
double interaction_scale(std::size_t interactions, std::size_t dimension) {
  return std::sqrt(static_cast<double>(interactions) + 0.25 * static_cast<double>(dimension));
}

}  // namespace

std::vector<Pair> neighbour_pairs(std::size_t dimension, std::size_t first) {
  std::vector<Pair> pairs;
  for (std::size_t i = first; i + 1 < dimension; i += 2) pairs.emplace_back(i, i + 1);
  return pairs;
}

std::vector<double> evaluate(const Target& target, std::span<const double> rows) {
  if (target.dimension == 0 || rows.size() % target.dimension != 0) {
    throw Error(ErrorCode::invalid_data,
                "A table of " + std::to_string(rows.size()) + " numbers cannot be cut into rows of " +
                    std::to_string(target.dimension) + " coordinates for the target " + target.name +
                    "; pass whole rows.");
  }
  std::vector<double> values(rows.size() / target.dimension);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = target.value(rows.subspan(i * target.dimension, target.dimension));
  }
  return values;
}

Target additive_target(std::size_t dimension, std::uint64_t seed) {
  require_coordinates(dimension, "additive");
  Generator generator(seed);
  const auto amplitude = generator.uniform(0.5, 1.2, dimension);
  const auto frequency = generator.integers(1, 4, dimension);
  const auto phase = generator.uniform(0.0, 2 * pi, dimension);
  const auto slow = generator.uniform(0.8, 1.2, dimension);
  auto value = [=](std::span<const double> x) {
    const auto d = static_cast<double>(amplitude.size());
    double sum = 0;
    for (std::size_t j = 0; j < amplitude.size(); ++j) {
      const double order = static_cast<double>(j + 1);
      sum += amplitude[j] * std::sin(2 * pi * static_cast<double>(frequency[j]) * x[j] + phase[j]);
      sum += 0.35 * slow[j] * std::cos(pi * order * x[j] / (d + 1));
    }
    return sum / std::sqrt(d);
  };
  return {"additive", dimension, std::move(value), neighbour_pairs(dimension)};
}

Target pairwise_target(std::size_t dimension, std::uint64_t seed) {
  require_coordinates(dimension, "pairwise");
  Generator generator(seed);
  const auto pairs = neighbour_pairs(dimension);
  const auto pair_weight = generator.uniform(0.8, 1.3, pairs.size());
  const auto main_weight = generator.uniform(0.2, 0.5, dimension);
  auto value = [=](std::span<const double> x) {
    double sum = 0;
    for (std::size_t e = 0; e < pairs.size(); ++e) {
      const double a = x[pairs[e].first];
      const double b = x[pairs[e].second];
      sum += pair_weight[e] * (std::sin(pi * a * b) + 0.4 * std::cos(pi * (a + b)));
    }
    return (sum + weighted_sines(main_weight, x)) / interaction_scale(pairs.size(), main_weight.size());
  };
  return {"pairwise", dimension, std::move(value), pairs};
}

Target three_way_target(std::size_t dimension, std::uint64_t seed) {
  require_coordinates(dimension, "three-way");
  Generator generator(seed);
  const auto triple_weight = generator.uniform(0.8, 1.3, dimension / 3);
  const auto main_weight = generator.uniform(0.2, 0.5, dimension);
  auto value = [=](std::span<const double> x) {
    double sum = 0;
    for (std::size_t t = 0; t < triple_weight.size(); ++t) {
      sum += triple_weight[t] * std::sin(pi * x[3 * t] * x[3 * t + 1] * x[3 * t + 2]);
    }
    const auto triples = std::max<std::size_t>(triple_weight.size(), 1);
    return (sum + weighted_sines(main_weight, x)) / interaction_scale(triples, main_weight.size());
  };
  return {"three-way", dimension, std::move(value), neighbour_pairs(dimension)};
}

Target non_smooth_target(std::size_t dimension, std::uint64_t seed) {
  require_coordinates(dimension, "non-smooth");
  Generator generator(seed);
  const auto threshold = generator.uniform(0.3, 0.7, dimension);
  const auto weight = generator.uniform(0.5, 1.5, dimension);
  auto value = [=](std::span<const double> x) {
    double sum = 0;
    for (std::size_t j = 0; j < weight.size(); ++j) sum += x[j] > threshold[j] ? weight[j] : -weight[j];
    return sum / std::sqrt(static_cast<double>(weight.size()));
  };
  return {"non-smooth", dimension, std::move(value), neighbour_pairs(dimension)};
}

Target sparse_additive_target() {
  constexpr std::size_t kDimension = 20;
  constexpr std::size_t kActive = 5;
  Generator generator(42);
  const auto active = generator.choice(kDimension, kActive);
  const auto amplitude = generator.uniform(0.5, 1.5, kActive);
  const auto frequency = generator.integers(1, 4, kActive);
  auto value = [=](std::span<const double> x) {
    double sum = 0;
    for (std::size_t t = 0; t < active.size(); ++t) {
      sum += amplitude[t] * std::sin(2 * pi * static_cast<double>(frequency[t]) * x[active[t]]);
    }
    return sum / std::sqrt(static_cast<double>(active.size()));
  };
  return {"SparseAdd-20D", kDimension, std::move(value), neighbour_pairs(kDimension)};
}

Target sparse_pairwise_target() {
  Target target = pairwise_target(10, 7);
  target.name = "SparsePair-10D";
  return target;
}

}  // namespace kore::experiments
