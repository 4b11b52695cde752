#pragma once

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kore/kore.hpp"

namespace kore::test {

inline nlohmann::json read_json(const std::string& name) {
  std::ifstream in(std::string(KORE_TEST_DATA) + "/" + name);
  if (!in) throw std::runtime_error("no test data " + name);
  return nlohmann::json::parse(in);
}

/// Infinite values are written as strings.
inline double number(const nlohmann::json& value) {
  if (value.is_string())
    return value.get<std::string>()[0] == '-' ? -std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::infinity();
  return value.get<double>();
}

/// A small data set with everything the published selector computes on it (tests/data/fixtures).
struct Fixture {
  explicit Fixture(const std::string& name) : json(read_json("fixtures/" + name + ".json")) {
    rows = json["n"];
    columns = json["d"];
    degree = json["degree"];
    for (const auto& row : json["X"])
      for (const double value : row) x.push_back(value);
    for (const double value : json["y"]) y.push_back(value);
    for (const auto& row : json["X_test"])
      for (const double value : row) x_test.push_back(value);
    test_rows = json["X_test"].size();
    for (const auto& pair : json["pairs"])
      pairs.emplace_back(pair[0].get<std::size_t>(), pair[1].get<std::size_t>());
  }

  MatrixView train() const { return MatrixView::row_major(x, rows, columns); }
  MatrixView test() const { return MatrixView::row_major(x_test, test_rows, columns); }
  MemorySource source() const { return {train(), y}; }
  std::vector<Feature> features() const {
    RangeAccumulator ranges(columns);
    ranges.add({train(), y, {}});
    std::vector<Feature> result;
    for (const Range& range : ranges.ranges()) result.push_back({"", range, FeatureKind::spline});
    return result;
  }
  /// Whether test row `r` lies inside the training range in every coordinate.
  bool inside(std::size_t r) const {
    const auto all = features();
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = x_test[r * columns + j];
      if (value < all[j].range.lowest || value > all[j].range.highest) return false;
    }
    return true;
  }
  double target_deviation() const {
    double mean = 0;
    for (const double value : y) mean += value / static_cast<double>(rows);
    double squares = 0;
    for (const double value : y) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(rows));
  }
  Options paper_options() const {
    Options options = Options::paper();
    options.degree = degree;
    options.max_resolution_additive = json["max_G_additive"];
    options.max_resolution_pairwise = json["max_G_pairwise"];
    options.pair_choice = pairs.empty() ? PairChoice::none : PairChoice::given;
    options.pairs = pairs;
    options.threads = 1;
    return options;
  }

  nlohmann::json json;
  std::size_t rows = 0, columns = 0, test_rows = 0;
  int degree = 3;
  std::vector<double> x, y, x_test;
  std::vector<FeaturePair> pairs;
};

inline const std::vector<std::string>& fixture_names() {
  static const std::vector<std::string> names{"additive_d20", "additive_noisy", "additive_small",
                                              "awkward",      "degree2",        "degree5",
                                              "one_d",        "pairwise_d10",   "pairwise_d4"};
  return names;
}

}  // namespace kore::test
