#include "experiments/studies/method_summary.hpp"

#include "experiments/averages.hpp"

namespace kore::experiments {
namespace {

double average(const Table& table, const Group& task, const std::string& column) {
  return mean(numbers(table, column, task.rows));
}

}  // namespace

std::vector<double> rmse_ratios(const Table& table, const std::vector<Group>& tasks,
                                const std::string& method) {
  std::vector<double> ratios;
  for (const Group& task : tasks)
    ratios.push_back(average(table, task, method + "_rmse") / average(table, task, "cv_rmse"));
  return ratios;
}

std::vector<double> fit_speedups(const Table& table, const std::vector<Group>& tasks,
                                 const std::string& method) {
  std::vector<double> speedups;
  for (const Group& task : tasks)
    speedups.push_back(average(table, task, "cv_fits") / average(table, task, method + "_fits"));
  return speedups;
}

MethodAverages against_cv(const Table& table, const std::vector<Group>& tasks, const std::string& method) {
  return {geometric_mean(rmse_ratios(table, tasks, method)),
          geometric_mean(fit_speedups(table, tasks, method))};
}

Table method_summary(const Table& table, const std::vector<Group>& tasks) {
  struct Label {
    const char* column;
    const char* shown;
  };
  Table summary{{"method", "gm_rmse_ratio_vs_cv", "gm_fit_speedup_vs_cv"}, {}};
  for (const Label& method : {Label{"kore", "KORE"}, Label{"gcv", "GCV"}, Label{"aic", "AIC"},
                              Label{"bic", "BIC"}, Label{"cp", "Cp"}}) {
    const MethodAverages averages = against_cv(table, tasks, method.column);
    summary.rows.push_back(row_of({method.shown, averages.rmse_ratio, averages.fit_speedup}));
  }
  return summary;
}

}  // namespace kore::experiments
