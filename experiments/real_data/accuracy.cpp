// KORE's two profiles beside the published cells of the tuned boosters, on the same rows and splits:
// kore_accuracy DATA RESULTS [SEEDS] [SET ...]. Run by `make accuracy`.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <thread>

#include "experiments/equations.hpp"
#include "experiments/real_data/sets.hpp"
#include "kore/kore.hpp"

namespace kore::experiments {
namespace {

constexpr std::array boosters{"lightgbm", "xgboost", "catboost", "hist_gbm"};
constexpr std::array published_methods{"lightgbm", "xgboost", "catboost", "hist_gbm", "ridge_cv"};
constexpr std::array shown{"default", "paper", "lightgbm", "xgboost", "catboost", "hist_gbm", "ridge_cv"};

struct Result {
  double rmse = 0;
  double seconds = 0;
  double covered = 0;  ///< Share of the test rows inside the 90 % interval.
};

Result run(const StudySplit& split, Options options) {
  options.kinds = split.train.features.kinds;
  options.levels = split.train.features.levels;
  options.threads = 0;
  const auto start = std::chrono::steady_clock::now();
  const Model model = fit(split.train.view(), split.train.y, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<double> predicted = predict(model, split.test.view());
  const IntervalOffsets interval = interval_offsets(model, 0.9);
  const std::vector<double> wider = widening(model, split.test.view());
  double inside = 0;
  for (std::size_t r = 0; r < predicted.size(); ++r) {
    inside += interval_around(model, interval, predicted[r], wider[r]).covers(split.test.y[r]) ? 1 : 0;
  }
  return {root_mean_square_error(predicted, split.test.y), seconds,
          inside / static_cast<double>(predicted.size())};
}

Result run_default(const StudyRows& rows, std::uint64_t seed) { return run(plain_split(rows, seed), {}); }

/// The paper's features are all splines, in the box of the training rows.
Result run_paper(const StudyRows& rows, std::uint64_t seed) {
  StudySplit split = study_split(rows, seed);
  split.train.features = {};
  return run(split, Options::paper());
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Ratios to the best booster of each split, and times.
struct Ratios {
  std::map<std::string, std::vector<double>> by_method;
  std::map<std::string, std::vector<double>> seconds;
  std::vector<double> covered;  ///< By the default profile's 90 % intervals.
};

Ratios measure(const StudyRows& rows, const StudyRows& indicators,
               const std::map<std::uint64_t, std::map<std::string, double>>& published, std::uint64_t seeds) {
  Ratios ratios;
  for (const auto& [seed, cells] : published) {
    if (seed >= seeds) continue;
    double best = INFINITY;
    for (const char* booster : boosters)
      if (cells.contains(booster)) best = std::min(best, cells.at(booster));
    for (const char* method : published_methods)
      if (cells.contains(method)) ratios.by_method[method].push_back(cells.at(method) / best);
    for (const auto& [name, outcome] :
         {std::pair{"default", run_default(rows, seed)}, std::pair{"paper", run_paper(indicators, seed)}}) {
      ratios.by_method[name].push_back(outcome.rmse / best);
      ratios.seconds[name].push_back(outcome.seconds);
      if (name == std::string("default")) ratios.covered.push_back(outcome.covered);
    }
  }
  return ratios;
}

/// Geometric means over the sets that the default profile is held to.
class Means {
 public:
  void add(const Ratios& ratios) {
    for (const auto& [method, values] : ratios.by_method) {
      double logs = 0;
      for (const double value : values) logs += std::log(value) / static_cast<double>(values.size());
      sums_[method] += logs;
    }
    ++sets_;
  }
  void print() const {
    if (sets_ == 0) return;
    std::printf(
        "\nGeometric means over %d sets with at most 30 features, without auction verification and naval "
        "propulsion\n",
        sets_);
    for (const auto& [method, sum] : sums_)
      std::printf("  %-9s %.4f of the best booster, %.4f of LightGBM\n", method.c_str(),
                  std::exp(sum / sets_), std::exp((sum - sums_.at("lightgbm")) / sets_));
  }

 private:
  std::map<std::string, double> sums_;
  int sets_ = 0;
};

void compare(const StudyFolders& folders, std::uint64_t seeds, const std::set<std::string>& wanted) {
  const PublishedErrors published = published_errors(folders);
  std::printf("%-28s %3s %5s", "RMSE / best booster, median", "d", "n");
  for (const char* name : shown) std::printf(" %9s", name);
  std::printf(" %10s %8s %8s\n", "default s", "paper s", "covered");
  std::vector<double> covered;
  std::vector<double> seconds;
  Means means;
  for (const StudySet& set : study_sets(folders)) {
    if (!wanted.empty() && !wanted.contains(set.name)) continue;
    const StudyRows rows = study_rows(folders, set, {});
    const StudyRows indicators = study_rows(folders, set);
    Ratios ratios = measure(rows, indicators, published.at(set.name), seeds);
    std::printf("%-28s %3zu %5zu", set.name.c_str(), indicators.columns, rows.count);
    for (const char* name : shown) std::printf(" %9.3f", median(ratios.by_method[name]));
    std::printf(" %10.2f %8.2f %8.3f\n", median(ratios.seconds["default"]), median(ratios.seconds["paper"]),
                mean(ratios.covered));
    covered.push_back(mean(ratios.covered));
    seconds.push_back(median(ratios.seconds["default"]));
    std::fflush(stdout);
    if (indicators.columns <= 30 && set.name != "auction_verification" &&
        set.name != "naval_propulsion_plant")
      means.add(ratios);
  }
  means.print();
  std::printf(
      "\n90 %% intervals of the default profile cover %.3f of the test rows; its median time is %.2f s\n",
      mean(covered), median(seconds));
}

void print_equations(std::uint64_t seeds) {
  std::printf("\n%-20s %9s %9s %7s %7s %8s\n", "RMSE / exhaustive CV", "default", "paper", "passes", "fits",
              "seconds");
  const std::vector<EquationResult> results =
      run_equations(seeds, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  for (const EquationResult& r : results)
    std::printf("%-20s %9.3f %9.3f %7.1f %7.1f %8.3f\n", r.equation.c_str(), r.default_ratio, r.paper_ratio,
                r.passes, r.fits, r.seconds);
  std::printf("geometric mean of the default profile %.3f\n", geometric_mean(results));
}

}  // namespace
}  // namespace kore::experiments

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr,
                 "usage: kore_accuracy DATA RESULTS [SEEDS] [SET ...]; the set 'equations' is the paper's\n");
    return 2;
  }
  try {
    const kore::experiments::StudyFolders folders{arguments[1], arguments[2]};
    const std::uint64_t seeds = count > 3 ? std::stoul(arguments[3]) : 5;
    const std::set<std::string> wanted(arguments + std::min(count, 4), arguments + count);
    const bool equations_alone = wanted.size() == 1 && wanted.contains("equations");
    if (!equations_alone) kore::experiments::compare(folders, seeds, wanted);
    if (wanted.empty() || wanted.contains("equations")) kore::experiments::print_equations(seeds);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kore_accuracy: %s\n", error.what());
    return 1;
  }
}
