// The two passes over the rows, the algebra between them and prediction, each beside what the machine can do
// at most, as JSON on standard output. Times are the shortest of several.
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "benchmarks/limits.hpp"
#include "benchmarks/rows.hpp"
#include "kore/response.hpp"
#include "solve/blas.hpp"

namespace {

using namespace kore;
using kore::bench::Rows;
using nlohmann::json;

double shortest(int repeats, const std::function<void()>& run) {
  double best = 1e300;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Vectors of four that a row must move: for all pairs of terms, a spline in one feature having one and in two
// four, and for every term beside `others`, one and the target in the first pass and one in the second.
double vectors_per_row(const Design& design, int others) {
  double vectors = 0;
  const auto of_term = [&](std::size_t t) {
    return std::pow(4.0, static_cast<double>(design.terms()[t].order()));
  };
  for (std::size_t i = 0; i < design.terms().size(); ++i) {
    for (std::size_t j = i; j < design.terms().size(); ++j) vectors += of_term(i) * of_term(j) / 4;
    vectors += others * of_term(i) / 4;
  }
  return vectors;
}

json passes(const Rows& rows, int resolution, std::size_t pairs, const bench::CacheLimits& limits) {
  const Design design = rows.design(resolution, pairs);
  const auto count = static_cast<double>(rows.count);
  const double terms = static_cast<double>(design.terms().size());
  const double row_pairs = count * terms * (terms + 1) / 2;
  json result{{"G", resolution}, {"pairs", pairs}, {"columns", design.columns()}};
  double gram_once = 0;
  double leverage_once = 0;
  GramAccumulator all(design);
  all.add(working_block(rows.block()));
  const Smoother smoother(all);
  for (const int threads : {1, 2}) {
    GramAccumulator gram(design);
    const double add = shortest(15, [&] { gram.add(working_block(rows.block()), threads); });
    const double press = shortest(15, [&] { smoother.press(rows.block(), threads); });
    if (threads == 1) {
      gram_once = add;
      leverage_once = press;
      result["gram_ns_per_row_and_pair"] = add / row_pairs * 1e9;
      result["leverage_ns_per_row_and_pair"] = press / row_pairs * 1e9;
      result["gram_times_bound"] =
          add / (count * vectors_per_row(design, 2) * limits.load_multiply_add_store);
      result["leverage_times_bound"] =
          press / (count * vectors_per_row(design, 1) * limits.load_multiply_add);
    } else {
      result["gram_two_threads"] = gram_once / add;
      result["leverage_two_threads"] = leverage_once / press;
    }
  }
  return result;
}

// Multiplications and additions per second of the largest product that BLAS gets, on one core.
double product_rate() {
  constexpr std::size_t n = 1024;
  std::vector<double> a(n * n, 1e-3), b(n * n, 1e-3), c(n * n);
  const double seconds = shortest(7, [&] { product(a.data(), n, n, b.data(), n, n, n, c.data(), n); });
  return 2.0 * n * n * n / seconds;
}

// Factor, solution and inverse take p^3 multiplications and additions, twice that in operations.
json algebra(int resolution, std::size_t pairs, double rate) {
  const Rows rows(4000, 20);
  const Design design = rows.design(resolution, pairs);
  GramAccumulator gram(design);
  gram.add(working_block(rows.block()));
  const auto p = static_cast<double>(design.columns());
  json result{{"columns", design.columns()}};
  for (const int threads : {1, 2}) {
    SmootherOptions options;
    options.threads = threads;
    const double seconds = shortest(5, [&] { Smoother{gram, options}; });
    result[threads == 1 ? "seconds" : "seconds_two_threads"] = seconds;
    result[threads == 1 ? "share_of_products" : "share_of_products_two_threads"] =
        2 * p * p * p / seconds / (rate * threads);
  }
  return result;
}

json prediction() {
  const Rows rows(100'000, 20);
  Options options;
  options.pair_choice = PairChoice::none;
  const Model model = fit(rows.block().x, rows.y, options);
  json result;
  for (const int threads : {1, 2}) {
    const double seconds = shortest(9, [&] { predict(model, rows.block().x, threads); });
    result[threads == 1 ? "rows_per_second" : "rows_per_second_two_threads"] =
        static_cast<double>(rows.count) / seconds;
  }
  return result;
}

json small_selection() {
  const Rows rows(500, 5);
  Options options;
  json result;
  options.threads = 2;
  result["default_ms"] = 1e3 * shortest(20, [&] { fit(rows.block().x, rows.y, options); });
  options.pair_choice = PairChoice::none;
  result["default_additive_ms"] = 1e3 * shortest(20, [&] { fit(rows.block().x, rows.y, options); });
  options = Options::paper();
  options.threads = 2;
  result["paper_ms"] = 1e3 * shortest(20, [&] { fit(rows.block().x, rows.y, options); });
  return result;
}

}  // namespace

int main() {
  const bench::CacheLimits limits = bench::measure_cache_limits();
  json result;
  result["limits"] = {{"load_multiply_add_store_ns", limits.load_multiply_add_store * 1e9},
                      {"load_multiply_add_ns", limits.load_multiply_add * 1e9}};
  const Rows rows(20'000, 20);
  for (const int resolution : {1, 5, 10, 15, 20})
    result["passes"].push_back(passes(rows, resolution, 0, limits));
  for (const int resolution : {1, 3, 7}) result["passes"].push_back(passes(rows, resolution, 10, limits));
  const double rate = product_rate();
  result["product_gflops"] = rate / 1e9;
  for (const int resolution : {3, 7, 10}) result["algebra"].push_back(algebra(resolution, 10, rate));
  result["prediction"] = prediction();
  result["small"] = small_selection();
  std::cout << result.dump(2) << '\n';
}
