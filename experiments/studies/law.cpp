#include <algorithm>
#include <cmath>
#include <cstdint>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/seeds.hpp"
#include "experiments/selectors.hpp"
#include "experiments/studies/studies.hpp"

// Law collapse (paper, section "Selected resolution and test error collapse by effective density"): rows per
// component decide, whatever the number of features.
namespace kore::experiments {
namespace {

constexpr std::size_t most_rows = 60000;

struct LawCell {
  Structure structure = Structure::additive;
  std::size_t features = 0;
  std::size_t density = 0;
  std::uint64_t seed = 0;

  std::size_t components() const { return structure == Structure::additive ? features : features / 2; }
  std::size_t rows() const { return density * components(); }
};

std::vector<LawCell> cells(std::size_t seeds) {
  std::vector<LawCell> result;
  for (const Structure structure : {Structure::additive, Structure::pairwise})
    for (const std::size_t features : {10, 20, 40, 80})
      for (const std::size_t density : {30, 45, 60, 90, 120, 180, 240, 360, 480, 720})
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          const LawCell cell{structure, features, density, seed};
          const bool too_thin = structure == Structure::pairwise && density < 60;
          if (!too_thin && cell.rows() <= most_rows) result.push_back(cell);
        }
  return result;
}

Problem problem(const LawCell& cell) {
  const bool additive = cell.structure == Structure::additive;
  const Target target = additive ? additive_target(cell.features, cell.seed + 10)
                                 : pairwise_target(cell.features, cell.seed + 20);
  const std::uint64_t seed = cell_seed({1, additive ? 0U : 1U, cell.features, cell.density, cell.seed});
  return {make_dataset(target, cell.rows(), 2000, 0.03, seed), neighbour_pairs(cell.features)};
}

Row name(const LawCell& cell) {
  return row_of({to_string(cell.structure), cell.features, cell.density, cell.seed});
}

Row compute(const LawCell& cell, int threads) {
  const Outcome kore = select_by_kore(problem(cell), threads);
  return row_of({to_string(cell.structure), cell.features, cell.density, cell.components(), cell.rows(),
                 cell.seed, to_string(kore.structure), kore.resolution, kore.fits, kore.seconds, kore.rmse});
}

/// Mean over the seeds of a column for one structure: one number per dimension and density.
struct Point {
  double features = 0;
  double density = 0;
  double value = 0;
};

std::vector<Point> means(const Table& table, const std::string& structure, const std::string& column) {
  std::vector<Point> points;
  for (const Group& group : group_by(table, {"family", "d", "density"}))
    if (group.key[0] == structure)
      points.push_back(
          {std::stod(group.key[1]), std::stod(group.key[2]), mean(numbers(table, column, group.rows))});
  return points;
}

std::vector<double> values_between(const std::vector<Point>& points, double lowest, double highest) {
  std::vector<double> values;
  for (const Point& point : points)
    if (point.density >= lowest && point.density <= highest) values.push_back(point.value);
  return values;
}

double slope_from(const std::vector<Point>& points, double lowest) {
  std::vector<double> x;
  std::vector<double> y;
  for (const Point& point : points)
    if (point.density >= lowest) {
      x.push_back(point.density);
      y.push_back(point.value);
    }
  return exponent(x, y);
}

/// Largest quotient of two dimensions' errors at the same density.
double widest_spread(const std::vector<Point>& points) {
  double widest = 1;
  for (const Point& a : points)
    for (const Point& b : points)
      if (a.density == b.density) widest = std::max(widest, a.value / b.value);
  return widest;
}

/// The mean resolution that the paper's appendix table gives for a setting.
double published_resolution(const std::string& structure, const Point& setting) {
  if (structure == "additive") {
    if (setting.density == 30) return 8;
    if (setting.density == 45) return 13;
    if (setting.density == 60 && setting.features == 20) return 14.6;
    return setting.density == 60 && setting.features == 80 ? 14.4 : 15;
  }
  if (setting.density <= 90) return 1;
  if (setting.density == 720) return 5;
  return setting.density == 240 && setting.features == 20 ? 3.4 : 3;
}

std::vector<Claim> claims(const Table& table) {
  const auto additive = means(table, "additive", "rmse");
  const auto pairwise = means(table, "pairwise", "rmse");
  std::vector<bool> resolutions;
  for (const char* structure : {"additive", "pairwise"})
    for (const Point& point : means(table, structure, "G"))
      resolutions.push_back(fixed(point.value, 1) == fixed(published_resolution(structure, point), 1));
  const auto equal = std::ranges::count(resolutions, true);
  const std::string thin =
      "The text says the whole range; in the published file, too, the thinnest densities fall much faster.";
  constexpr double margin = 0.05;
  constexpr double all = 0;
  constexpr double from = 120;
  return {
      spans("Mean RMSE of additive targets at 120 rows per feature, over 10 to 80 features", 0.0077, 0.0081,
            values_between(additive, from, from), 4),
      near("Slope of log RMSE on log density, additive, all densities (within 0.05)", -4.0 / 9,
           slope_from(additive, all), margin, 3, thin),
      near("The same from density 120 on", -4.0 / 9, slope_from(additive, from), margin, 3),
      near("Slope of log RMSE on log density, pairwise, all densities (within 0.05)", -0.4,
           slope_from(pairwise, all), margin, 3, thin),
      near("The same from density 120 on", -0.4, slope_from(pairwise, from), margin, 3),
      {"Dimensions fall on one curve: largest quotient of two dimensions' mean RMSE at one density",
       "one curve", fixed(std::max(widest_spread(additive), widest_spread(pairwise)), 2),
       std::max(widest_spread(additive), widest_spread(pairwise)) < 1.25, "Counted as one curve below 1.25."},
      {"Mean selected resolutions, one for every structure, density and dimension (appendix table)",
       std::to_string(resolutions.size()) + " numbers", std::to_string(equal) + " equal",
       equal == static_cast<std::ptrdiff_t>(resolutions.size()), ""},
  };
}

}  // namespace

Study law_study(std::size_t seeds) {
  Study study;
  study.name = "law";
  study.title = "Collapse by effective density";
  study.file = "law_collapse.csv";
  study.columns = {{"family", Role::name},         {"d", Role::name},       {"density", Role::name},
                   {"n_eff", Role::fact},          {"n_train", Role::fact}, {"seed", Role::name},
                   {"structure", Role::selection}, {"G", Role::selection},  {"fits", Role::selection},
                   {"time", Role::time},           {"rmse", Role::error}};
  for (const LawCell& cell : cells(seeds))
    study.cells.push_back(
        one_row_cell(cell, kore_cost(cell.rows(), cell.features, cell.features / 2), name, compute, problem));
  study.claims = claims;
  return study;
}

}  // namespace kore::experiments
