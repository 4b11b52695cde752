#include <algorithm>
#include <cmath>
#include <cstdint>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/seeds.hpp"
#include "experiments/selectors.hpp"
#include "experiments/studies/method_summary.hpp"
#include "experiments/studies/studies.hpp"

// Cost and accuracy from 10 to 80 features (paper, appendix "Scaling with input dimension").
namespace kore::experiments {
namespace {

struct ScalingCell {
  Structure structure = Structure::additive;
  std::size_t features = 0;
  std::uint64_t seed = 0;

  std::size_t rows() const {
    return structure == Structure::additive ? 120 * features : 240 * (features / 2);
  }
};

std::vector<ScalingCell> cells(std::size_t seeds) {
  std::vector<ScalingCell> result;
  for (const Structure structure : {Structure::additive, Structure::pairwise})
    for (const std::size_t features : {10, 20, 40, 80})
      for (std::uint64_t seed = 0; seed < seeds; ++seed) result.push_back({structure, features, seed});
  return result;
}

Problem problem(const ScalingCell& cell) {
  const bool additive = cell.structure == Structure::additive;
  const Target target =
      additive ? additive_target(cell.features, cell.seed) : pairwise_target(cell.features, cell.seed);
  const std::uint64_t seed = cell_seed({6, additive ? 0U : 1U, cell.features, cell.seed});
  return {make_dataset(target, cell.rows(), 1000, 0.03, seed), neighbour_pairs(cell.features)};
}

Row name(const ScalingCell& cell) { return row_of({to_string(cell.structure), cell.features, cell.seed}); }

Row compute(const ScalingCell& cell, int threads) {
  const Problem task = problem(cell);
  const Outcome kore = select_by_kore(task, threads);
  const Outcome cv = select_by_cross_validation(task, cell.seed, threads);
  return row_of({to_string(cell.structure), cell.features, cell.rows(), cell.seed, kore.seconds, kore.fits,
                 kore.rmse, cv.seconds, cv.fits, cv.rmse, cv.seconds / kore.seconds});
}

std::vector<Claim> claims(const Table& table) {
  std::vector<Group> additive = group_by(table, {"family", "d"});
  std::vector<Group> pairwise = additive;
  std::erase_if(additive, [](const Group& group) { return group.key[0] != "additive"; });
  std::erase_if(pairwise, [](const Group& group) { return group.key[0] != "pairwise"; });
  std::vector<double> times;
  for (const Group& group : group_by(table, {"family", "d"}))
    times.push_back(mean(numbers(table, "cv_time", group.rows)) /
                    mean(numbers(table, "kore_time", group.rows)));
  const auto forty = std::ranges::find(pairwise, Row{"pairwise", "40"}, &Group::key);
  const double at_forty = forty == pairwise.end() ? 0.0 : rmse_ratios(table, {*forty}, "kore").front();
  const std::vector<double> additive_ratios = rmse_ratios(table, additive, "kore");
  return {
      spans("Fits of cross-validation over those of KORE, additive, 10 to 80 features", 6.5, 6.5,
            fit_speedups(table, additive, "kore"), 1, "x"),
      spans("The same for pairwise targets", 10.1, 10.1, fit_speedups(table, pairwise, "kore"), 1, "x",
            "The text says 10.1x at every dimension; in the published file one run with 40 features takes "
            "ten fits, which "
            "makes 9.8x there."),
      {"Time of cross-validation over that of KORE", "7x to 21x", fixed_range(times, 1) + "x",
       *std::ranges::min_element(times) > 1,
       "Another engine on another machine, whose cross-validation gives up candidates that cannot win any "
       "more; counted as holding if KORE is faster everywhere."},
      {"RMSE ratio of KORE, additive", "parity within sampling noise", fixed_range(additive_ratios, 2),
       std::ranges::all_of(additive_ratios, [](double ratio) { return std::abs(ratio - 1) < 0.05; }),
       "Counted as parity within 5 %."},
      equals("RMSE ratio of KORE, pairwise, 40 features", 1.04, at_forty, 2),
  };
}

}  // namespace

Study scaling_study(std::size_t seeds) {
  Study study;
  study.name = "scaling";
  study.title = "Scaling with the number of features";
  study.file = "scaling.csv";
  study.columns = {{"family", Role::name},     {"d", Role::name},           {"n_train", Role::fact},
                   {"seed", Role::name},       {"kore_time", Role::time},   {"kore_fits", Role::selection},
                   {"kore_rmse", Role::error}, {"cv_time", Role::time},     {"cv_fits", Role::selection},
                   {"cv_rmse", Role::error},   {"time_speedup", Role::time}};
  study.one_at_a_time = true;
  for (const ScalingCell& cell : cells(seeds))
    study.cells.push_back(one_row_cell(cell, ladder_cost(cell.rows(), cell.features, cell.features / 2), name,
                                       compute, problem));
  study.claims = claims;
  return study;
}

}  // namespace kore::experiments
