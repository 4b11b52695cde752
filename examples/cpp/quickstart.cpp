#include <cmath>
#include <cstdio>
#include <kore/kore.hpp>
#include <numbers>
#include <random>
#include <vector>

#include "summary.hpp"

int main() {
  // A table of 800 rows, stored row by row. The yield depends on the temperature, and on the product of
  // pressure and hours. The humidity has no effect.
  const kore::Names names{{"temperature", "pressure", "hours", "humidity"}, "yield"};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> noise(0, 0.05);
  std::vector<double> rows;
  std::vector<double> yield;
  for (int i = 0; i < 800; ++i) {
    for (int j = 0; j < 4; ++j) rows.push_back(uniform(random));
    const double* row = rows.data() + rows.size() - 4;
    yield.push_back(std::sin(2 * std::numbers::pi * row[0]) + 2 * row[1] * row[2] + noise(random));
  }
  const auto table = kore::MatrixView::row_major(rows, yield.size(), 4);

  // The fit solves for the resolution: there is nothing to choose and no grid to search.
  const kore::Model model = kore::fit(table, yield, kore::Options{}, names);
  print_summary("default profile", model);
  print_summary("paper profile", kore::fit(table, yield, kore::Options::paper(), names));

  // A model file holds everything that predictions need, and no rows.
  kore::save(model, "yield.kore");
  const kore::Model loaded = kore::load_model("yield.kore");
  const std::vector<double> point{0.25, 0.5, 0.5, 0.9};
  const double predicted = kore::predict(loaded, kore::MatrixView::row_major(point, 1, 4))[0];
  std::printf("\nfrom the file: %.3f predicted where the noiseless yield is 1.5\n", predicted);
  return std::abs(predicted - 1.5) < 0.05 ? 0 : 1;
}
