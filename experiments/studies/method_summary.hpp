#pragma once

#include <string>
#include <vector>

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

/// One line each for KORE, GCV, AIC, BIC and Cp.
Table method_summary(const Table& table, const std::vector<Group>& tasks);

}  // namespace kore::experiments
