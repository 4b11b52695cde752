#include "experiments/honesty/examples.hpp"

#include <cmath>
#include <numbers>

#include "experiments/random/generator.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::size_t train_rows = 400;
constexpr std::size_t fresh_rows = 1000;

// The curves of Gu and Wahba.
double arch(double x) { return 2 * std::sin(std::numbers::pi * x); }
double growth(double x) { return std::exp(2 * x); }
double two_humps(double x) {
  return 0.2 * std::pow(x, 11) * std::pow(10 * (1 - x), 6) + 10 * std::pow(10 * x, 3) * std::pow(1 - x, 10);
}

/// Two hills on the unit square.
double hills(double x, double z) {
  constexpr double width = 0.3;
  constexpr double depth = 0.4;
  const auto hill = [](double height, double dx, double dz) {
    return height * std::exp(-dx * dx / (width * width) - dz * dz / (depth * depth));
  };
  return std::pow(std::numbers::pi, width) * depth *
         (hill(1.2, x - 0.2, z - 0.3) + hill(0.8, x - 0.7, z - 0.8));
}

double switched(double x, double level) {
  constexpr double mean_growth = 3.75887;
  if (level == 0) return arch(x);
  return level == 1 ? growth(x) - mean_growth : two_humps(x);
}

/// The level of a row: example 4 has a quarter, a quarter and half of the rows, the others take turns.
double level_of(const Example& example, std::size_t row, std::size_t rows) {
  if (example.number == 4) return row < rows / 4 ? 0 : row < rows / 2 ? 1 : 2;
  return static_cast<double>(row % static_cast<std::size_t>(example.levels));
}

/// Example 7: neighbours that nearly say the same.
void correlate(StudyRows& rows) {
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.x[rows.count + r] = 0.7 * rows.x[r] + 0.3 * rows.x[rows.count + r];
    rows.x[3 * rows.count + r] = 0.9 * rows.x[2 * rows.count + r] + 0.1 * rows.x[3 * rows.count + r];
  }
}

void set_levels(StudyRows& rows, const Example& example) {
  rows.features.kinds.assign(rows.columns, FeatureKind::spline);
  rows.features.levels.assign(rows.columns, 0);
  rows.features.kinds[example.category] = FeatureKind::category;
  rows.features.levels[example.category] = example.levels;
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.x[example.category * rows.count + r] = level_of(example, r, rows.count);
}

ExampleRows draw_rows(const Example& example, std::size_t count, Generator& generator) {
  const std::size_t columns = example.columns.size();
  ExampleRows drawn{{count, columns, generator.uniform(0, 1, count * columns), {}}, {}};
  if (example.number == 7) correlate(drawn.rows);
  if (example.levels > 0) set_levels(drawn.rows, example);
  drawn.rows.y = generator.normal(0, example.noise, count);
  const MatrixView x = drawn.rows.view();
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<double> row;
    for (std::size_t j = 0; j < columns; ++j) row.push_back(x(r, j));
    drawn.truth.push_back(example_truth(example, row));
    drawn.rows.y[r] += drawn.truth[r];
  }
  return drawn;
}

}  // namespace

const std::vector<Example>& examples() {
  static const std::vector<Example> all{
      {1, "four curves", {"x0", "x1", "x2", "x3"}},
      {2, "a surface", {"x", "z"}, 0, 0, 0.1},
      {3, "a curve times a number", {"x1", "x2"}},
      {4, "a curve for each level", {"x0", "x1", "x2", "fac"}, 3, 3},
      {5, "curves and a category", {"x0", "x1", "x2", "x3"}, 0, 4},
      {6, "four curves and a random level", {"x0", "x1", "x2", "x3", "fac"}, 4, 4},
      {7, "four curves, correlated features", {"x0", "x1", "x2", "x3"}}};
  return all;
}

double example_truth(const Example& example, std::span<const double> row) {
  switch (example.number) {
    case 2:
      return hills(row[0], row[1]);
    case 3:
      return row[0] * two_humps(row[1]);
    case 4:
      return switched(row[2], row[3]);
    case 5:
      return 2 * (row[0] + 1) + growth(row[1]) + two_humps(row[2]);
    case 6:
      return arch(row[0]) + growth(row[1]) + two_humps(row[2]) + 3 * (row[4] + 1);
    default:
      return arch(row[0]) + growth(row[1]) + two_humps(row[2]);
  }
}

ExampleData draw_example(const Example& example, std::uint64_t seed) {
  Generator generator(seed);
  ExampleRows train = draw_rows(example, train_rows, generator);
  return {std::move(train), draw_rows(example, fresh_rows, generator)};
}

}  // namespace kore::experiments::honesty
