#include <array>
#include <cstdint>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/seeds.hpp"
#include "experiments/selectors.hpp"
#include "experiments/studies/studies.hpp"

// The exponent of the resolution follows the spline's order (paper, appendix "Degree ablation").
namespace kore::experiments {
namespace {

constexpr std::size_t features = 20;

struct DegreeCell {
  int degree = 0;
  std::size_t density = 0;
  std::uint64_t seed = 0;

  std::size_t rows() const { return density * features; }
};

std::vector<DegreeCell> cells(std::size_t seeds) {
  std::vector<DegreeCell> result;
  for (const int degree : {2, 3, 5})
    for (const std::size_t density : {30, 60, 120, 240, 480, 960, 1920})
      for (std::uint64_t seed = 0; seed < seeds; ++seed) result.push_back({degree, density, seed});
  return result;
}

Problem problem(const DegreeCell& cell) {
  const std::uint64_t seed =
      cell_seed({8, static_cast<std::uint64_t>(cell.degree), features, cell.density, cell.seed});
  return {make_dataset(additive_target(features, cell.seed + 10), cell.rows(), 2000, 0.10, seed), {}};
}

Row name(const DegreeCell& cell) { return row_of({cell.degree, features, cell.density, cell.seed}); }

Row compute(const DegreeCell& cell, int threads) {
  Options options = paper_options({}, threads);
  options.degree = cell.degree;
  options.max_resolution_additive = 40;
  const KoreRun kore = run_kore(problem(cell), options);
  return row_of({cell.degree, cell.degree + 1, features, cell.density, cell.rows(), cell.seed,
                 kore.summary.additive->plug_in, kore.outcome.resolution, kore.outcome.fits});
}

Table summary(const Table& table) {
  Table result{{"degree", "smoothness_order", "predicted_g_exponent", "observed_g_exponent"}, {}};
  for (const Group& degree : group_by(table, {"degree", "smoothness_order"})) {
    std::vector<double> densities;
    std::vector<double> plug_ins;
    for (const Group& cell : group_by(table, {"degree", "density"})) {
      if (cell.key[0] != degree.key[0]) continue;
      densities.push_back(std::stod(cell.key[1]));
      plug_ins.push_back(mean(numbers(table, "G_dagger", cell.rows)));
    }
    const double beta = std::stod(degree.key[1]);
    result.rows.push_back(
        row_of({degree.key[0], degree.key[1], 1 / (2 * beta + 1), exponent(densities, plug_ins)}));
  }
  return result;
}

std::vector<Claim> claims(const Table& table) {
  constexpr std::array published{0.149, 0.115, 0.082};
  const Table exponents = summary(table);
  std::vector<Claim> result;
  for (std::size_t r = 0; r < std::min(exponents.rows.size(), published.size()); ++r)
    result.push_back(equals("Exponent of the resolution at degree " + exponents.text(r, "degree") +
                                " (predicted " + fixed(exponents.number(r, "predicted_g_exponent"), 3) + ")",
                            published.at(r), exponents.number(r, "observed_g_exponent"), 3));
  return result;
}

}  // namespace

Study degree_study(std::size_t seeds) {
  Study study;
  study.name = "degree";
  study.title = "Degree ablation";
  study.file = "degree_ablation.csv";
  study.columns = {{"degree", Role::name},       {"smoothness_order", Role::fact}, {"d", Role::name},
                   {"density", Role::name},      {"n_train", Role::fact},          {"seed", Role::name},
                   {"G_dagger", Role::estimate}, {"G_star", Role::selection},      {"fits", Role::selection}};
  for (const DegreeCell& cell : cells(seeds))
    study.cells.push_back(
        {.names = {name(cell)},
         .seed = cell.seed,
         .cost = kore_cost(cell.rows(), features, 0),
         .compute = [cell](int threads) { return std::vector<Row>{compute(cell, threads)}; }});
  study.summarise = [](const Table& table) {
    return std::vector<NamedTable>{{"degree_ablation_summary.csv", summary(table)}};
  };
  study.claims = claims;
  return study;
}

}  // namespace kore::experiments
