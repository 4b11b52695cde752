#include "experiments/targets.hpp"

#include "experiments/benchmarks.hpp"
#include "experiments/random/generator.hpp"
#include "experiments/seeds.hpp"
#include "experiments/vectors.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace kore::experiments {
namespace {

using Doubles = std::vector<double>;
using Pairs = std::vector<Pair>;

Target make_target(const std::string& kind, std::size_t dimension, std::uint64_t seed) {
  if (kind == "additive") return additive_target(dimension, seed);
  if (kind == "pairwise") return pairwise_target(dimension, seed);
  if (kind == "three-way") return three_way_target(dimension, seed);
  if (kind == "non-smooth") return non_smooth_target(dimension, seed);
  for (Benchmark& benchmark : benchmark_suite()) {
    if (benchmark.target.name == kind) return benchmark.target;
  }
  throw std::invalid_argument("no such target: " + kind);
}

/// The mixed second difference over coordinates i and j: zero everywhere exactly if the two do not interact.
double interaction(const Target& target, std::size_t i, std::size_t j) {
  Doubles x = Generator(1).uniform(0.1, 0.4, target.dimension);
  const auto at = [&](double a, double b) {
    Doubles moved = x;
    moved[i] += a;
    moved[j] += b;
    return target.value(moved);
  };
  return at(0.3, 0.3) - at(0.3, 0) - at(0, 0.3) + at(0, 0);
}

TEST(Targets, HaveTheValuesNumpyComputes) {
  const auto points = load_vectors("rng_extra.json", "points");
  const auto point = points.at("point").get<Doubles>();
  for (const auto& vector : points.at("values")) {
    const auto dimension = vector.at("d").get<std::size_t>();
    const std::uint64_t seed = vector.at("seed").is_null() ? 0 : vector.at("seed").get<std::uint64_t>();
    const Target target = make_target(vector.at("target").get<std::string>(), dimension, seed);
    EXPECT_EQ(target.dimension, dimension);
    const double expected = vector.at("value").get<double>();
    EXPECT_NEAR(target.value(std::span(point).first(dimension)), expected,
                1e-14 * std::max(1.0, std::abs(expected)))
        << vector.at("target") << " in " << dimension << " dimensions";
  }
}

TEST(Targets, InteractExactlyWhereTheirStructureSaysSo) {
  const Target additive = additive_target(7, 3);
  const Target pairwise = pairwise_target(7, 3);
  const Target three_way = three_way_target(7, 3);
  const Target steps = non_smooth_target(7, 3);
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = i + 1; j < 7; ++j) {
      EXPECT_NEAR(interaction(additive, i, j), 0, 1e-14);
      EXPECT_NEAR(interaction(steps, i, j), 0, 1e-14);
      const bool matched = i % 2 == 0 && j == i + 1;
      EXPECT_EQ(std::abs(interaction(pairwise, i, j)) > 1e-3, matched) << i << " " << j;
      const bool same_triple = i / 3 == j / 3 && j < 6;
      EXPECT_EQ(std::abs(interaction(three_way, i, j)) > 1e-3, same_triple) << i << " " << j;
    }
  }
}

TEST(Targets, NonSmoothOneOnlyJumpsUpward) {
  const Target target = non_smooth_target(1, 4);
  Doubles levels;
  for (int i = 0; i <= 1000; ++i) levels.push_back(target.value(Doubles{i / 1000.0}));
  EXPECT_TRUE(std::is_sorted(levels.begin(), levels.end()));
  EXPECT_EQ(levels.front(), -levels.back());
  EXPECT_EQ(std::unique(levels.begin(), levels.end()) - levels.begin(), 2);
}

TEST(Targets, SparseAdditiveOneUsesFiveCoordinates) {
  const Target target = sparse_additive_target();
  const Doubles base(20, 0.13);
  int active = 0;
  for (std::size_t j = 0; j < 20; ++j) {
    Doubles moved = base;
    moved[j] = 0.21;
    if (target.value(moved) != target.value(base)) ++active;
  }
  EXPECT_EQ(active, 5);
}

TEST(Targets, PairNeighboursFromAnyStart) {
  EXPECT_EQ(neighbour_pairs(1), Pairs{});
  EXPECT_EQ(neighbour_pairs(5), (Pairs{{0, 1}, {2, 3}}));
  EXPECT_EQ(neighbour_pairs(6, 1), (Pairs{{1, 2}, {3, 4}}));
}

TEST(Targets, RefuseRowsOfAnotherDimension) {
  const Target target = additive_target(3, 0);
  EXPECT_EQ(evaluate(target, Doubles(12, 0.5)).size(), 4U);
  EXPECT_THROW(evaluate(target, Doubles(10, 0.5)), Error);
  EXPECT_THROW(additive_target(0, 0), Error);
}

TEST(Seeds, FoldTheCellIntoTheMasterSeed) {
  EXPECT_EQ(cell_seed({}), 2026U);
  EXPECT_EQ(cell_seed({1}), 2026U * 1000003U + 1U);  // Still below 2^31.
  EXPECT_EQ(cell_seed({1, 2}), (2026006079ULL * 1000003ULL + 2ULL) % 2147483648ULL);
  for (const auto& cell : load_vectors("rng_extra.json", "cells")) {
    const auto parts = cell.at("parts").get<std::vector<std::uint64_t>>();
    EXPECT_EQ(cell_seed(parts), cell.at("seed").get<std::uint64_t>()) << cell.at("parts");
  }
}

TEST(Seeds, NumberEveryBenchmarkByItsName) {
  const auto ids = load_vectors("rng_extra.json", "benchmark_ids");
  EXPECT_EQ(benchmark_id(""), 5381U);
  EXPECT_EQ(benchmark_id("a"), 33U * 5381U + 97U);
  for (const Benchmark& benchmark : benchmark_suite()) {
    EXPECT_EQ(benchmark_id(benchmark.target.name), ids.at(benchmark.target.name).get<std::uint64_t>());
  }
}

TEST(Benchmarks, HaveNineTasksTheLawCoversAndThreeBoundaryCases) {
  std::vector<std::string> boundary;
  for (const Benchmark& benchmark : benchmark_suite()) {
    if (!benchmark.law_aligned) boundary.push_back(benchmark.target.name);
  }
  EXPECT_EQ(benchmark_suite().size(), 12U);
  EXPECT_EQ(boundary, (std::vector<std::string>{"Oscillator", "Franke (2D)", "Friedman-2 (4D)"}));
}

TEST(Benchmarks, KnowTheirPairs) {
  for (const Benchmark& benchmark : benchmark_suite()) {
    const Target& target = benchmark.target;
    if (target.name == "Friedman-2 (4D)") {
      EXPECT_EQ(target.pairs, (Pairs{{0, 1}, {1, 2}, {1, 3}}));
    } else if (target.name == "Friedman-1 (5D)") {
      EXPECT_EQ(target.pairs, (Pairs{{0, 1}}));
    } else {
      EXPECT_EQ(target.pairs, neighbour_pairs(target.dimension)) << target.name;
    }
    EXPECT_EQ(benchmark.ranges.size(), target.dimension) << target.name;
  }
}

TEST(Benchmarks, AreDefinedOnTheirWholeRange) {
  for (const Benchmark& benchmark : benchmark_suite()) {
    for (const double share : {0.0, 0.5, 1.0}) {
      Doubles x;
      for (const Range& range : benchmark.ranges) x.push_back(range.low + share * (range.high - range.low));
      EXPECT_TRUE(std::isfinite(benchmark.target.value(x))) << benchmark.target.name << " at " << share;
    }
  }
}

TEST(Benchmarks, FollowTheOrderAndSizesOfThePublishedResults) {
  std::ifstream file(std::string(KORE_SHARED_DIR) + "/reference/results/benchmark.csv");
  if (!file) GTEST_SKIP() << "The published result files are not here.";
  std::vector<std::string> published;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::size_t end = 0;
    for (int field = 0; field < 4; ++field) end = line.find(',', end) + 1;
    const std::string entry = line.substr(0, end - 1);
    if (published.empty() || published.back() != entry) published.push_back(entry);
  }
  std::vector<std::string> ours;
  for (const Benchmark& benchmark : benchmark_suite()) {
    ours.push_back(benchmark.target.name + "," + std::to_string(benchmark.target.dimension) + "," +
                   std::to_string(benchmark.train_rows) + "," +
                   (benchmark.structure == Structure::additive ? "additive" : "pairwise"));
  }
  EXPECT_EQ(ours, published);
}

}  // namespace
}  // namespace kore::experiments
