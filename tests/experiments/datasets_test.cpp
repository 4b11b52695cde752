#include "experiments/datasets.hpp"

#include "experiments/benchmarks.hpp"
#include "experiments/random/generator.hpp"
#include "experiments/seeds.hpp"
#include "experiments/vectors.hpp"
#include "kore/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

namespace kore::experiments {
namespace {

using Doubles = std::vector<double>;

struct Task {
  Target target;
  std::vector<Range> ranges;
};

Task task_of(const nlohmann::json& cell) {
  const auto kind = cell.at("target").get<std::string>();
  const auto dimension = cell.at("d").get<std::size_t>();
  for (Benchmark& benchmark : benchmark_suite()) {
    if (benchmark.target.name == kind) return {benchmark.target, benchmark.ranges};
  }
  const auto seed = cell.at("target_seed").get<std::uint64_t>();
  if (kind == "additive") return {additive_target(dimension, seed), {}};
  if (kind == "pairwise") return {pairwise_target(dimension, seed), {}};
  if (kind == "three-way") return {three_way_target(dimension, seed), {}};
  return {non_smooth_target(dimension, seed), {}};
}

Dataset dataset_of(const nlohmann::json& cell) {
  const Task task = task_of(cell);
  return make_dataset(task.target, cell.at("n_train").get<std::size_t>(),
                      cell.at("n_test").get<std::size_t>(), cell.at("noise").get<double>(),
                      cell.at("seed").get<std::uint64_t>(), task.ranges);
}

Doubles slice(const Doubles& values, std::size_t start, std::size_t count) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(start);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

Doubles last(const Doubles& values, std::size_t count) { return slice(values, values.size() - count, count); }

/// The labels go through sines and sums, which NumPy rounds in another order.
void expect_labels(const Doubles& labels, const nlohmann::json& expected, const std::string& where) {
  Doubles seen = slice(labels, 0, 3);
  seen.push_back(labels.back());
  const auto wanted = expected.get<Doubles>();
  ASSERT_EQ(seen.size(), wanted.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_NEAR(seen[i], wanted[i], 1e-13 * std::max(1.0, std::abs(wanted[i]))) << where << ", label " << i;
  }
}

TEST(Dataset, HoldsTheNumbersNumpyDrawsForACellOfEveryExperiment) {
  for (const auto& cell : load_vectors("rng_extra.json", "cells")) {
    const std::string where = cell.at("experiment").get<std::string>() + " " + cell.at("parts").dump();
    const Dataset data = dataset_of(cell);
    const auto d = data.dimension;
    ASSERT_EQ(data.x_train.size(), d * cell.at("n_train").get<std::size_t>()) << where;
    ASSERT_EQ(data.x_test.size(), d * cell.at("n_test").get<std::size_t>()) << where;
    const auto few = cell.at("x_test_first").size();
    const auto two = cell.at("x_train_last").size();
    EXPECT_EQ(slice(data.x_train, 0, d), cell.at("x_train_first").get<Doubles>()) << where;
    EXPECT_EQ(last(data.x_train, two), cell.at("x_train_last").get<Doubles>()) << where;
    EXPECT_EQ(slice(data.x_test, 0, few), cell.at("x_test_first").get<Doubles>()) << where;
    EXPECT_EQ(last(data.x_test, two), cell.at("x_test_last").get<Doubles>()) << where;
    expect_labels(data.y_train, cell.at("y_train"), where + " train");
    expect_labels(data.y_test, cell.at("y_test"), where + " test");
    const double sigma = cell.at("sigma").get<double>();
    EXPECT_NEAR(data.sigma, sigma, 1e-13 * sigma) << where;
  }
}

TEST(Dataset, KeepsItsTestLabelsCleanAndItsNoiseAtTheAskedScale) {
  const Target target = pairwise_target(4, 5);
  const Dataset data = make_dataset(target, 20000, 50, 0.2, 77);
  EXPECT_EQ(data.y_test, evaluate(target, data.x_test));
  const Doubles clean = evaluate(target, data.x_train);
  double noise = 0;
  for (std::size_t i = 0; i < clean.size(); ++i)
    noise += (data.y_train[i] - clean[i]) * (data.y_train[i] - clean[i]);
  EXPECT_NEAR(std::sqrt(noise / 20000) / data.sigma, 1, 5 / std::sqrt(2.0 * 20000));
}

TEST(Dataset, DrawsTheSameInputsWhateverTheNoise) {
  const Target target = additive_target(3, 5);
  const Dataset quiet = make_dataset(target, 30, 10, 0, 77);
  const Dataset loud = make_dataset(target, 30, 10, 2, 77);
  EXPECT_EQ(quiet.x_train, loud.x_train);
  EXPECT_EQ(quiet.x_test, loud.x_test);
  EXPECT_EQ(quiet.sigma, 0);
  const Doubles clean = evaluate(target, quiet.x_train);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    // The floor of the noise scale, 1e-10, times the same standard normal draw.
    const double draw = (loud.y_train[i] - clean[i]) / loud.sigma;
    EXPECT_NEAR((quiet.y_train[i] - clean[i]) / 1e-10, draw, 1e-5);
  }
}

TEST(Dataset, FillsRangesColumnByColumn) {
  const Target target = additive_target(2, 0);
  const std::vector<Range> ranges{{-1, 1}, {5, 7}};
  const Dataset data = make_dataset(target, 3, 2, 0.1, 4, ranges);
  Generator generator(4);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(data.x_train[2 * i + j], generator.uniform(ranges[j].low, ranges[j].high));
    }
  }
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(data.x_test[2 * i + j], generator.uniform(ranges[j].low, ranges[j].high));
    }
  }
}

TEST(Dataset, RefusesWhatCannotBeDrawn) {
  const Target target = additive_target(2, 0);
  const std::vector<Range> one_range{{0, 1}};
  EXPECT_THROW(make_dataset(target, 0, 5, 0.1, 0), Error);
  EXPECT_THROW(make_dataset(target, 5, 5, -0.1, 0), Error);
  EXPECT_THROW(make_dataset(target, 5, 5, std::numeric_limits<double>::quiet_NaN(), 0), Error);
  EXPECT_THROW(make_dataset(target, 5, 5, 0.1, 0, one_range), Error);
}

/// The published result files, where they are at hand: one map from column to text per row.
std::vector<std::map<std::string, std::string>> published(const std::string& name) {
  std::ifstream file(std::string(KORE_SHARED_DIR) + "/reference/results/" + name);
  const auto split = [](const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    return fields;
  };
  std::vector<std::map<std::string, std::string>> rows;
  std::string line;
  if (!std::getline(file, line)) return rows;
  const auto columns = split(line);
  while (std::getline(file, line)) {
    const auto fields = split(line);
    auto& row = rows.emplace_back();
    for (std::size_t j = 0; j < columns.size() && j < fields.size(); ++j) row[columns[j]] = fields[j];
  }
  return rows;
}

TEST(Dataset, HasThePublishedNoiseLevelInEveryConsistencyCell) {
  const auto rows = published("plugin_consistency.csv");
  if (rows.empty()) GTEST_SKIP() << "The published result files are not here.";
  for (const auto& row : rows) {
    const std::uint64_t n = std::stoull(row.at("n_train"));
    const std::uint64_t s = std::stoull(row.at("seed"));
    const Dataset data = make_dataset(additive_target(20, s), n, 1, 0.1, cell_seed({9, 20, n, s}));
    const double sigma = std::stod(row.at("sigma"));
    EXPECT_NEAR(data.sigma, sigma, 1e-13 * sigma) << "n " << n << ", seed " << s;
  }
}

// The error of the training mean on the test labels: every published number depends on all inputs, labels and
// noise of a cell.
TEST(Dataset, GivesThePublishedErrorOfTheMeanInEveryNoiseCell) {
  const auto rows = published("noise_sweep.csv");
  if (rows.empty()) GTEST_SKIP() << "The published result files are not here.";
  for (const auto& row : rows) {
    const double fraction = std::stod(row.at("noise_frac"));
    const std::uint64_t s = std::stoull(row.at("seed"));
    const auto noise_id = static_cast<std::uint64_t>(1000 * fraction);
    const Dataset data =
        make_dataset(additive_target(10, s), 200, 3000, fraction, cell_seed({7, 10, noise_id, s}));
    double mean = 0;
    for (const double y : data.y_train) mean += y / 200;
    double squares = 0;
    for (const double y : data.y_test) squares += (y - mean) * (y - mean);
    EXPECT_NEAR(std::sqrt(squares / 3000), std::stod(row.at("null_rmse")), 1e-13)
        << fraction << ", seed " << s;
  }
}

}  // namespace
}  // namespace kore::experiments
