#pragma once

#include <string>
#include <vector>

#include "experiments/table.hpp"

namespace kore::experiments {

/// What differs between the cells of a small study; the rest follows.
struct MadeUpCell {
  std::string dataset;
  std::string method;
  int seed = 0;
  double r2 = 0;
  double seconds = 0;
  double rmse = 1;
  int features = 5;
  bool constant = false;
};

inline Table made_up_cells(const std::vector<MadeUpCell>& cells) {
  Table table{{"dataset",
               "method",
               "family",
               "seed",
               "n_total",
               "n_train",
               "n_test",
               "d",
               "rmse_test",
               "mae_test",
               "r2_test",
               "nrmse_test",
               "n_fits",
               "fit_time_s",
               "best_hp",
               "used_defaults",
               "used_constant_predictor",
               "error",
               "rss_peak_mb",
               "rss_advisory_exceeded"},
              {}};
  for (const MadeUpCell& cell : cells)
    table.rows.push_back(row_of({cell.dataset,
                                 cell.method,
                                 "family of " + cell.method,
                                 cell.seed,
                                 100,
                                 80,
                                 20,
                                 cell.features,
                                 cell.rmse,
                                 cell.rmse / 2,
                                 cell.r2,
                                 cell.rmse / 4,
                                 3,
                                 cell.seconds,
                                 "{}",
                                 "False",
                                 cell.constant ? "True" : "False",
                                 "",
                                 100.0,
                                 "False"}));
  return table;
}

inline bool says(const std::string& sentence, const std::string& words) {
  return sentence.find(words) != std::string::npos;
}

/// Three methods on three data sets with two seeds: kore is best on all, linear last.
inline std::vector<MadeUpCell> small_study() {
  std::vector<MadeUpCell> cells;
  for (const std::string dataset : {"a", "b", "c"})
    for (const int seed : {0, 1}) {
      const double shift = 0.01 * seed + (dataset == "c" ? 0.1 : 0);
      cells.push_back({dataset, "linear", seed, 0.5, 0, 4, dataset == "c" ? 35 : 5});
      cells.push_back({dataset, "xgboost", seed, 0.8 + shift, 3, 1, dataset == "c" ? 35 : 5});
      cells.push_back({dataset, "kore", seed, 0.7 + shift, 0, 2, dataset == "c" ? 35 : 5});
    }
  return cells;
}

}  // namespace kore::experiments
