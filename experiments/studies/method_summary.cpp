#include "experiments/studies/method_summary.hpp"

#include "experiments/averages.hpp"
#include "experiments/claims.hpp"

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

std::vector<Claim> average_claims(const Table& table, const std::vector<Group>& tasks,
                                  const PublishedAverages& published) {
  const MethodAverages kore = against_cv(table, tasks, "kore");
  const auto ratio = [&](const char* method) { return against_cv(table, tasks, method).rmse_ratio; };
  return {
      equals("RMSE of KORE over that of cross-validation, geometric mean of " + published.tasks,
             published.kore, kore.rmse_ratio, 3),
      equals("Fits of cross-validation over those of KORE", published.kore_speedup, kore.fit_speedup, 1, "x"),
      equals("RMSE ratio of GCV", published.gcv, ratio("gcv"), 3),
      equals("RMSE ratio of Cp", published.cp, ratio("cp"), 3),
      equals("RMSE ratio of AIC", published.aic, ratio("aic"), 3),
      equals("RMSE ratio of BIC", published.bic, ratio("bic"), 3),
      equals("Fits of cross-validation over those of a criterion", published.criterion_speedup,
             against_cv(table, tasks, "gcv").fit_speedup, 1, "x"),
  };
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
