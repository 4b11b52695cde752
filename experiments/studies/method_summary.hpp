#pragma once

#include <string>
#include <vector>

#include "experiments/study.hpp"
#include "experiments/table.hpp"

namespace kore::experiments {

/// A selector beside cross-validation: geometric means over tasks of quotients of means over seeds.
struct MethodAverages {
  double rmse_ratio = 0;   ///< RMSE of the method over that of cross-validation.
  double fit_speedup = 0;  ///< Fits of cross-validation over those of the method.
};

/// For a table with the columns `<method>_rmse` and `<method>_fits`; a task is a group of its rows.
MethodAverages against_cv(const Table& table, const std::vector<Group>& tasks, const std::string& method);
std::vector<double> rmse_ratios(const Table& table, const std::vector<Group>& tasks,
                                const std::string& method);
std::vector<double> fit_speedups(const Table& table, const std::vector<Group>& tasks,
                                 const std::string& method);

/// What the paper gives of KORE and the criteria beside cross-validation.
struct PublishedAverages {
  std::string tasks;  ///< What the geometric means are over: "six tasks".
  double kore = 0;    ///< RMSE ratios.
  double gcv = 0;
  double cp = 0;
  double aic = 0;
  double bic = 0;
  double kore_speedup = 0;  ///< Quotients of fits.
  double criterion_speedup = 0;
};
std::vector<Claim> average_claims(const Table& table, const std::vector<Group>& tasks,
                                  const PublishedAverages& published);

/// One line each for KORE, GCV, AIC, BIC and Cp.
Table method_summary(const Table& table, const std::vector<Group>& tasks);

}  // namespace kore::experiments
