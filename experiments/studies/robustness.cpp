#include <array>
#include <cmath>
#include <cstdint>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/seeds.hpp"
#include "experiments/selectors.hpp"
#include "experiments/studies/studies.hpp"

// What happens when an assumption fails (paper, appendix "Robustness to structural assumptions").
namespace kore::experiments {
namespace {

enum class Scenario : std::uint8_t { three_way, non_smooth, wrong_graph, control };

constexpr std::array scenario_names{"3-way interactions", "non-smooth", "misspecified graph",
                                    "correct (control)"};

struct RobustnessCell {
  Scenario scenario = Scenario::three_way;
  std::size_t features = 0;
  std::uint64_t seed = 0;

  std::size_t number() const { return static_cast<std::size_t>(scenario); }
  const char* shown() const { return scenario_names.at(number()); }
  std::size_t rows() const {
    const bool pairwise = scenario == Scenario::wrong_graph || scenario == Scenario::control;
    return pairwise ? 240 * (features / 2) : 300 * features;
  }
};

std::vector<RobustnessCell> cells(std::size_t seeds) {
  std::vector<RobustnessCell> result;
  for (const Scenario scenario :
       {Scenario::three_way, Scenario::non_smooth, Scenario::wrong_graph, Scenario::control})
    for (const std::size_t features : {12, 24})
      for (std::uint64_t seed = 0; seed < seeds; ++seed) result.push_back({scenario, features, seed});
  return result;
}

Target target(const RobustnessCell& cell) {
  const std::uint64_t seed = cell.seed + 50 + 10 * cell.number();
  switch (cell.scenario) {
    case Scenario::three_way:
      return three_way_target(cell.features, seed);
    case Scenario::non_smooth:
      return non_smooth_target(cell.features, seed);
    case Scenario::wrong_graph:
    case Scenario::control:
      break;
  }
  return pairwise_target(cell.features, seed);
}

/// With the graph of the target's neighbours, which is the true one where there are interacting pairs.
Problem problem(const RobustnessCell& cell) {
  const std::uint64_t seed = cell_seed({5, cell.number(), cell.features, cell.seed});
  return {make_dataset(target(cell), cell.rows(), 2000, 0.03, seed), neighbour_pairs(cell.features)};
}

Row name(const RobustnessCell& cell) { return row_of({cell.shown(), cell.features, cell.seed}); }

Row compute(const RobustnessCell& cell, int threads) {
  const Problem task = problem(cell);
  const bool wrong_graph = cell.scenario == Scenario::wrong_graph;
  Outcome kore;
  Outcome other;  // cross-validation, or KORE with the true graph where the supplied one is wrong
  double discovered = std::nan("");
  if (wrong_graph) {
    kore = select_by_kore({task.data, neighbour_pairs(cell.features, 1)}, threads);
    other = select_by_kore(task, threads);
    discovered = select_by_kore(with_discovered_pairs(task, 0.01, threads), threads).rmse;
  } else {
    kore = select_by_kore(task, threads);
    other = select_by_cross_validation(task, cell.seed, threads);
  }
  return row_of({cell.shown(), cell.features, cell.seed, cell.rows(), kore.rmse, kore.resolution,
                 to_string(kore.structure), other.rmse, other.resolution, to_string(other.structure),
                 discovered});
}

std::vector<double> ratios(const Table& table, Scenario scenario, const char* above, const char* below) {
  std::vector<double> result;
  for (const Group& group : group_by(table, {"scenario", "d"}))
    if (group.key[0] == scenario_names.at(static_cast<std::size_t>(scenario)))
      result.push_back(mean(numbers(table, above, group.rows)) / mean(numbers(table, below, group.rows)));
  return result;
}

std::vector<Claim> claims(const Table& table) {
  const auto shown = [&](Scenario scenario, const char* above, const char* below) {
    return fixed_range(ratios(table, scenario, above, below), 3);
  };
  const auto comparable = [&](Scenario scenario, const char* above, const char* below) {
    bool fine = true;
    for (const double ratio : ratios(table, scenario, above, below)) fine = fine && std::abs(ratio - 1) < 0.1;
    return fine;
  };
  const std::string margin =
      "Counted as comparable within 10 %; no result file of this experiment was published.";
  return {
      spans("RMSE of KORE over that of cross-validation under correct assumptions (12 and 24 features)", 1, 1,
            ratios(table, Scenario::control, "kore_rmse", "cv_rmse"), 3),
      {"The same with three-way interactions", "comparable",
       shown(Scenario::three_way, "kore_rmse", "cv_rmse"),
       comparable(Scenario::three_way, "kore_rmse", "cv_rmse"), margin},
      {"The same with a target that is not smooth", "comparable",
       shown(Scenario::non_smooth, "kore_rmse", "cv_rmse"),
       comparable(Scenario::non_smooth, "kore_rmse", "cv_rmse"), margin},
      {"RMSE of KORE with a wrong graph over that with the true one", "comparable",
       shown(Scenario::wrong_graph, "kore_rmse", "cv_rmse"),
       comparable(Scenario::wrong_graph, "kore_rmse", "cv_rmse"),
       margin + " The run has no cross-validation here: its cv columns hold KORE with the true graph."},
      {"RMSE with a discovered graph over that with the true one, where the supplied one is wrong",
       "not given", shown(Scenario::wrong_graph, "disc_rmse", "cv_rmse"), std::nullopt, ""},
  };
}

}  // namespace

Study robustness_study(std::size_t seeds) {
  Study study;
  study.name = "robustness";
  study.title = "Robustness to structural assumptions";
  study.file = "robustness.csv";
  study.columns = {{"scenario", Role::name},
                   {"d", Role::name},
                   {"seed", Role::name},
                   {"n_train", Role::fact},
                   {"kore_rmse", Role::error},
                   {"kore_G", Role::selection},
                   {"kore_structure", Role::selection},
                   {"cv_rmse", Role::error},
                   {"cv_G", Role::selection},
                   {"cv_structure", Role::selection},
                   {"disc_rmse", Role::error}};
  for (const RobustnessCell& cell : cells(seeds))
    study.cells.push_back(one_row_cell(cell, ladder_cost(cell.rows(), cell.features, cell.features / 2), name,
                                       compute, problem));
  study.claims = claims;
  return study;
}

}  // namespace kore::experiments
