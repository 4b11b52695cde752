// Time of the two passes over the rows, per row and pair of terms, and of a whole selection as the rows
// double.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

#include "kore/kore.hpp"

namespace {

using namespace kore;

struct Rows {
  Rows(std::size_t n, std::size_t d) : count(n), columns(d), x(n * d), y(n) {
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
  RowBlock block() const { return {MatrixView::column_major(x, count, columns), y, {}}; }
  std::vector<Feature> features() const {
    return std::vector<Feature>(columns, Feature{"", {0, 1}, FeatureKind::spline});
  }

  std::size_t count, columns;
  std::vector<double> x, y;
};

std::vector<FeaturePair> neighbours(std::size_t count) {
  std::vector<FeaturePair> pairs;
  for (std::size_t p = 0; p < count; ++p) pairs.emplace_back(2 * p, 2 * p + 1);
  return pairs;
}

Design design_for(const Rows& rows, int resolution, std::size_t pairs) {
  if (pairs == 0) return Design::additive(rows.features(), resolution, 3);
  return Design::pairwise(rows.features(), neighbours(pairs), resolution, 3);
}

void report(benchmark::State& state, const Design& design, std::size_t rows) {
  const double pairs = 0.5 * static_cast<double>(design.terms().size() * (design.terms().size() + 1));
  state.counters["per_row_and_pair"] =
      benchmark::Counter(static_cast<double>(rows) * pairs,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["columns"] = static_cast<double>(design.columns());
}

// Arguments: resolution, pairs of features, threads.
void gram(benchmark::State& state) {
  const Rows rows(20000, 20);
  const Design design =
      design_for(rows, static_cast<int>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  GramAccumulator accumulator(design);
  for (auto _ : state) accumulator.add(rows.block(), static_cast<int>(state.range(2)));
  report(state, design, rows.count);
}

void leverage(benchmark::State& state) {
  const Rows rows(20000, 20);
  const Design design =
      design_for(rows, static_cast<int>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  GramAccumulator accumulator(design);
  accumulator.add(rows.block());
  const Smoother smoother(accumulator);
  for (auto _ : state)
    benchmark::DoNotOptimize(smoother.press(rows.block(), static_cast<int>(state.range(2))));
  report(state, design, rows.count);
}

// Arguments: rows, threads.
void whole_selection(benchmark::State& state) {
  const Rows rows(static_cast<std::size_t>(state.range(0)), 20);
  Options options;
  options.pair_choice = PairChoice::none;
  options.threads = static_cast<int>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(fit(rows.block().x, rows.y, options).summary.loo);
  state.counters["per_row"] =
      benchmark::Counter(static_cast<double>(rows.count),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(gram)
    ->ArgNames({"G", "pairs", "threads"})
    ->ArgsProduct({{1, 5, 15, 20}, {0}, {1, 2}})
    ->UseRealTime();
BENCHMARK(leverage)
    ->ArgNames({"G", "pairs", "threads"})
    ->ArgsProduct({{1, 5, 15, 20}, {0}, {1, 2}})
    ->UseRealTime();
BENCHMARK(gram)->ArgNames({"G", "pairs", "threads"})->ArgsProduct({{1, 3, 7}, {10}, {1}})->UseRealTime();
BENCHMARK(leverage)->ArgNames({"G", "pairs", "threads"})->ArgsProduct({{1, 3, 7}, {10}, {1}})->UseRealTime();
BENCHMARK(whole_selection)
    ->ArgNames({"rows", "threads"})
    ->ArgsProduct({{25000, 50000, 100000, 200000}, {2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
