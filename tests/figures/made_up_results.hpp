#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "experiments/report.hpp"
#include "experiments/studies/studies.hpp"

/// Results of every study as they would be if the law held to the digit: no fit is made.
namespace kore::experiments {

inline double power(double x, double exponent) { return std::pow(x, exponent); }

/// A row for every cell of a study: its names as they are, and what `fill` puts into the other columns.
template <class Fill>
Table made_up_table(const Study& study, Fill fill) {
  Table table{study.column_names(), {}};
  const std::vector<std::string> named = study.columns_with(Role::name);
  for (const Cell& cell : study.cells)
    for (const Row& names : cell.names) {
      table.rows.emplace_back(table.columns.size());
      const std::size_t row = table.rows.size() - 1;
      for (std::size_t c = 0; c < named.size(); ++c) table.rows[row][table.position(named[c])] = names[c];
      const auto set = [&](const std::string& column, const Field& field) {
        table.rows[row][table.position(column)] = field.text;
      };
      fill(table, row, set);
    }
  if (study.derive) study.derive(table);
  return table;
}

inline Table made_up_law() {
  return made_up_table(law_study(2), [](const Table& table, std::size_t r, auto set) {
    const bool additive = table.text(r, "family") == "additive";
    set("G", 15);
    set("rmse", power(table.number(r, "density"), additive ? -4.0 / 9 : -0.4));
  });
}

inline Table made_up_selectors(const Study& study) {
  return made_up_table(study, [&](const Table& table, std::size_t, auto set) {
    int fits = 10;
    for (const std::string method : {"kore", "cv", "gcv", "aic", "bic", "cp"}) {
      set(method + "_rmse", 0.01 * fits);
      set(method + "_fits", fits);
      if (table.has(method + "_G")) set(method + "_G", 5);
      if (table.has(method + "_time")) set(method + "_time", 0.5);
      ++fits;
    }
    if (table.has("n_train")) set("n_train", 500);
    if (table.has("d") && table.has("equation")) set("d", 1);
    if (table.has("disc_rmse")) set("disc_rmse", 0.2);
  });
}

inline Table made_up_discovery() {
  return made_up_table(discovery_study(2), [](const Table& table, std::size_t r, auto set) {
    const bool enough = table.number(r, "n_per_pair") >= 240;
    set("f1", enough ? 1.0 : 0.5);
    set("rmse_ratio", enough ? 1.0 : 4.0);
  });
}

inline Table made_up_robustness() {
  return made_up_table(robustness_study(2), [](const Table& table, std::size_t r, auto set) {
    set("kore_rmse", 0.02);
    set("cv_rmse", 0.01);
    if (table.text(r, "scenario") == "misspecified graph") set("disc_rmse", 0.011);
  });
}

inline Table made_up_scaling() {
  return made_up_table(scaling_study(2), [](const Table& table, std::size_t r, auto set) {
    set("n_train", 120 * static_cast<int>(table.number(r, "d")));
    set("kore_time", 0.5);
    set("cv_time", 5.0);
    set("kore_fits", 13);
    set("cv_fits", 91);
    set("kore_rmse", 0.01);
    set("cv_rmse", 0.01);
  });
}

inline Table made_up_noise() {
  return made_up_table(noise_study(2), [](const Table& table, std::size_t r, auto set) {
    set("signal_score", 2 - table.number(r, "noise_frac"));
    set("ratio_kore_null", table.number(r, "noise_frac"));
    for (const char* column : {"bracketed", "use_kore", "kore_fits"}) set(column, 1);
  });
}

inline Table made_up_degree() {
  return made_up_table(degree_study(2), [](const Table& table, std::size_t r, auto set) {
    const double order = table.number(r, "degree") + 1;
    set("smoothness_order", static_cast<int>(order));
    set("G_dagger", power(table.number(r, "density"), 1 / (2 * order + 1)));
  });
}

inline Table made_up_consistency(std::size_t seeds = 2) {
  return made_up_table(consistency_study(seeds), [](const Table& table, std::size_t r, auto set) {
    set("A_hat", 0.3 + 0.01 * table.number(r, "seed"));
    set("tau_hat", 0.01);
    set("tau_true", 0.01);
    set("G_dagger", 3.0);
  });
}

inline Table made_up_concentration() {
  return made_up_table(concentration_study(100), [](const Table& table, std::size_t r, auto set) {
    set("std_A_hat", power(table.number(r, "n"), -0.5));
    set("std_tau_hat", 2 * power(table.number(r, "n"), -0.5));
  });
}

inline std::vector<StudyReport> made_up_reports() {
  return {{law_study(2), made_up_law(), {}, ""},
          {frontier_study(2), made_up_selectors(frontier_study(2)), {}, ""},
          {benchmark_study(2), made_up_selectors(benchmark_study(2)), {}, ""},
          {discovery_study(2), made_up_discovery(), {}, ""},
          {robustness_study(2), made_up_robustness(), {}, ""},
          {scaling_study(2), made_up_scaling(), {}, ""},
          {noise_study(2), made_up_noise(), {}, "With 2 seeds."},
          {degree_study(2), made_up_degree(), {}, ""},
          {consistency_study(2), made_up_consistency(), {}, ""},
          {concentration_study(100), made_up_concentration(), {}, ""}};
}

}  // namespace kore::experiments
