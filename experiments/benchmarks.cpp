#include "experiments/benchmarks.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace kore::experiments {
namespace {

using Point = std::span<const double>;

double square(double x) { return x * x; }

double nguyen_1(Point x) { return x[0] * (1 + x[0] * (1 + x[0])); }

double nguyen_4(Point x) {
  double sum = 0;
  for (int power = 6; power >= 1; --power) sum = (sum + 1) * x[0];
  return sum;
}

double nguyen_5(Point x) { return std::sin(square(x[0])) * std::cos(x[0]) - 1; }

double nguyen_7(Point x) { return std::log(x[0] + 1) + std::log(square(x[0]) + 1); }

double nguyen_9(Point x) { return std::sin(x[0]) + std::sin(square(x[1])); }

double nguyen_10(Point x) { return 2 * std::sin(x[0]) * std::cos(x[1]); }

double oscillator(Point x) { return std::exp(-2 * x[0]) * std::cos(8 * std::numbers::pi * x[0]); }

double franke(Point x) {
  const double u = 9 * x[0];
  const double v = 9 * x[1];
  return 0.75 * std::exp(-(square(u - 2) + square(v - 2)) / 4) +
         0.75 * std::exp(-square(u + 1) / 49 - (v + 1) / 10) +
         0.5 * std::exp(-(square(u - 7) + square(v - 3)) / 4) -
         0.2 * std::exp(-square(u - 4) - square(v - 7));
}

double friedman_1(Point x) {
  return 10 * std::sin(std::numbers::pi * x[0] * x[1]) + 20 * square(x[2] - 0.5) + 10 * x[3] + 5 * x[4];
}

double friedman_2(Point x) {
  return std::sqrt(square(x[0]) + square(x[1] * x[2] - 1 / (x[1] * x[3] + 1e-8)));
}

Benchmark make(Target target, std::size_t rows, Range range, Structure structure, bool law_aligned = true) {
  std::vector<Range> ranges(target.dimension, range);
  return {std::move(target), rows, std::move(ranges), structure, law_aligned};
}

}  // namespace

std::vector<Benchmark> benchmark_suite() {
  constexpr Range kUnit{0, 1};
  constexpr Range kSymmetric{-1, 1};
  constexpr auto kAdditive = Structure::additive;
  constexpr auto kPairwise = Structure::pairwise;
  constexpr bool kBoundaryCase = false;
  std::vector<Benchmark> suite;
  suite.push_back(make({"Nguyen-1", 1, nguyen_1, {}}, 500, kSymmetric, kAdditive));
  suite.push_back(make({"Nguyen-4", 1, nguyen_4, {}}, 500, kSymmetric, kAdditive));
  suite.push_back(make({"Nguyen-5", 1, nguyen_5, {}}, 500, kSymmetric, kAdditive));
  suite.push_back(make({"Nguyen-7", 1, nguyen_7, {}}, 500, {0, 2}, kAdditive));
  suite.push_back(make({"Nguyen-9 (2D add)", 2, nguyen_9, neighbour_pairs(2)}, 1000, kUnit, kAdditive));
  suite.push_back(make({"Nguyen-10 (2D int)", 2, nguyen_10, {{0, 1}}}, 1000, kUnit, kPairwise));
  suite.push_back(make({"Oscillator", 1, oscillator, {}}, 500, kUnit, kAdditive, kBoundaryCase));
  suite.push_back(make({"Franke (2D)", 2, franke, {{0, 1}}}, 1000, kUnit, kPairwise, kBoundaryCase));
  suite.push_back(make({"Friedman-1 (5D)", 5, friedman_1, {{0, 1}}}, 2000, kUnit, kPairwise));
  suite.push_back(make({"Friedman-2 (4D)", 4, friedman_2, {{0, 1}, {1, 2}, {1, 3}}}, 2000, {0.1, 1},
                       kPairwise, kBoundaryCase));
  suite.push_back(make(sparse_additive_target(), 3000, kUnit, kAdditive));
  suite.push_back(make(sparse_pairwise_target(), 2000, kUnit, kPairwise));
  return suite;
}

}  // namespace kore::experiments
