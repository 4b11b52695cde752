#include <algorithm>
#include <array>
#include <cstdint>

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"
#include "experiments/seeds.hpp"
#include "experiments/selectors.hpp"
#include "experiments/studies/method_summary.hpp"
#include "experiments/studies/studies.hpp"

// Accuracy and cost of the selectors on six controlled tasks (paper, section "Closed-form selection on the
// accuracy-compute frontier").
namespace kore::experiments {
namespace {

constexpr std::array methods{"kore", "cv", "gcv", "aic", "bic", "cp"};

struct FrontierCell {
  Structure structure = Structure::additive;
  std::size_t features = 0;
  std::uint64_t seed = 0;

  std::size_t density() const { return structure == Structure::additive ? 120 : 240; }
  std::size_t rows() const {
    return structure == Structure::additive ? 120 * features : 240 * (features / 2);
  }
};

std::vector<FrontierCell> cells(std::size_t seeds) {
  std::vector<FrontierCell> result;
  for (const Structure structure : {Structure::additive, Structure::pairwise})
    for (const std::size_t features : {10, 20, 40})
      for (std::uint64_t seed = 0; seed < seeds; ++seed) result.push_back({structure, features, seed});
  return result;
}

Problem problem(const FrontierCell& cell) {
  const bool additive = cell.structure == Structure::additive;
  const Target target = additive ? additive_target(cell.features, 1) : pairwise_target(cell.features, 2);
  const std::uint64_t seed = cell_seed({2, additive ? 0U : 1U, cell.features, cell.density(), cell.seed});
  return {make_dataset(target, cell.rows(), 2000, 0.03, seed), neighbour_pairs(cell.features)};
}

Row name(const FrontierCell& cell) {
  return row_of({to_string(cell.structure), cell.features, cell.density(), cell.seed});
}

Row compute(const FrontierCell& cell, int threads) {
  const Problem task = problem(cell);
  const KoreRun kore = run_kore(task, paper_options(task.pairs, threads));
  KnownFits known;
  known.add(kore);
  const Outcome cv = select_by_cross_validation(task, cell.seed, threads, known);
  const CriteriaOutcomes criteria = select_by_criteria(task, threads, known);
  const std::vector<Outcome> outcomes{kore.outcome, cv,           criteria.gcv,
                                      criteria.aic, criteria.bic, criteria.cp};
  Row row = row_of({to_string(cell.structure), cell.features, cell.density(), cell.rows(), cell.seed});
  for (const Outcome& outcome : outcomes)
    std::ranges::copy(row_of({to_string(outcome.structure), outcome.resolution, outcome.fits, outcome.seconds,
                              outcome.rmse}),
                      std::back_inserter(row));
  for (const Outcome& outcome : outcomes) row.push_back(Field(outcome.structure == cell.structure).text);
  return row;
}

/// The field most rows have, the first such on a tie.
std::string most_frequent(const Table& table, const std::string& column,
                          const std::vector<std::size_t>& rows) {
  std::string best;
  std::ptrdiff_t count = 0;
  for (const std::size_t row : rows) {
    const std::string& value = table.text(row, column);
    const std::ptrdiff_t same =
        std::ranges::count_if(rows, [&](std::size_t other) { return table.text(other, column) == value; });
    if (same > count) {
      best = value;
      count = same;
    }
  }
  return best;
}

Table task_summary(const Table& table) {
  Table summary;
  summary.columns = {"family", "d", "density", "n_train"};
  for (const std::string method : methods)
    for (const char* what : {"_structure", "_G_mean", "_rmse_mean", "_rmse_std", "_fits_mean", "_time_mean"})
      summary.columns.push_back(method + what);
  for (const std::string method : methods)
    if (method != "cv") summary.columns.push_back("rmse_ratio_" + method + "_cv");
  for (const std::string method : methods)
    if (method != "cv") summary.columns.push_back("fit_speedup_cv_" + method);
  for (const Group& group : group_by(table, {"family", "d", "density", "n_train"})) {
    Row row = group.key;
    const auto average = [&](const std::string& column) { return mean(numbers(table, column, group.rows)); };
    for (const std::string method : methods) {
      row.push_back(most_frequent(table, method + "_structure", group.rows));
      row.push_back(number_field(average(method + "_G")));
      row.push_back(number_field(average(method + "_rmse")));
      row.push_back(number_field(deviation(numbers(table, method + "_rmse", group.rows))));
      row.push_back(number_field(average(method + "_fits")));
      row.push_back(number_field(average(method + "_time")));
    }
    for (const std::string method : methods)
      if (method != "cv") row.push_back(number_field(average(method + "_rmse") / average("cv_rmse")));
    for (const std::string method : methods)
      if (method != "cv") row.push_back(number_field(average("cv_fits") / average(method + "_fits")));
    summary.rows.push_back(std::move(row));
  }
  return summary;
}

std::vector<Claim> claims(const Table& table) {
  const std::vector<Group> tasks = group_by(table, {"family", "d"});
  const std::vector<double> tasks_ratio = rmse_ratios(table, tasks, "kore");
  const std::vector<double> additive(tasks_ratio.begin(), tasks_ratio.begin() + 3);
  const std::vector<double> pairwise(tasks_ratio.begin() + 3, tasks_ratio.end());
  std::vector<Claim> result = average_claims(table, tasks,
                                             {.tasks = "six tasks",
                                              .kore = 0.995,
                                              .gcv = 1.003,
                                              .cp = 1.003,
                                              .aic = 1.026,
                                              .bic = 1.058,
                                              .kore_speedup = 8.1,
                                              .criterion_speedup = 3.1});
  const std::vector<Claim> own{
      spans("Fits of KORE", 9, 14, numbers(table, "kore_fits"), 0),
      spans("RMSE ratio of KORE on the three additive tasks", 0.979, 0.998, additive, 3),
      spans("RMSE ratio of KORE on the three pairwise tasks", 1.0, 1.0, pairwise, 3),
  };
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

}  // namespace

Study frontier_study(std::size_t seeds) {
  Study study;
  study.name = "frontier";
  study.title = "Accuracy and cost on six controlled tasks";
  study.file = "frontier_replicates.csv";
  study.columns = {{"family", Role::name},
                   {"d", Role::name},
                   {"density", Role::name},
                   {"n_train", Role::fact},
                   {"seed", Role::name}};
  for (const std::string method : methods) {
    study.columns.push_back({method + "_structure", Role::selection});
    study.columns.push_back({method + "_G", Role::selection});
    study.columns.push_back({method + "_fits", Role::selection});
    study.columns.push_back({method + "_time", Role::time});
    study.columns.push_back({method + "_rmse", Role::error});
  }
  for (const std::string method : methods)
    study.columns.push_back({"structure_correct_" + method, Role::selection});
  for (const FrontierCell& cell : cells(seeds))
    study.cells.push_back(one_row_cell(cell, ladder_cost(cell.rows(), cell.features, cell.features / 2), name,
                                       compute, problem));
  study.summarise = [](const Table& table) {
    return std::vector<NamedTable>{
        {"frontier_summary.csv", task_summary(table)},
        {"frontier_method_summary.csv", method_summary(table, group_by(table, {"family", "d", "density"}))}};
  };
  study.claims = claims;
  return study;
}

}  // namespace kore::experiments
