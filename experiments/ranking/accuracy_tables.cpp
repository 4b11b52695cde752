// The summary files that are about errors, time and failures rather than ranks.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>

#include "experiments/averages.hpp"
#include "experiments/ranking/ranking.hpp"
#include "experiments/statistics/ranks.hpp"

namespace kore::experiments {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<int, 4> cutoffs{20, 30, 40, 50};

// What the failure modes are called. The published rows leave the limits open within a range each: between 16
// and 21 features, ratios between 1.04 and 1.05, between 24 and 125 features, and between 1.15 and 1.42.
constexpr double many_features = 20;
const double large_loss = std::log(1.05);
constexpr double too_many_features = 30;
const double near_tie = std::log(1.25);
constexpr std::size_t worst = 5;

constexpr std::initializer_list<const char*> criteria{"gcv_spline", "aic_spline", "bic_spline", "cp_spline"};
constexpr std::initializer_list<const char*> boosters{"xgboost", "lightgbm", "catboost", "hist_gbm"};

std::string truth(bool value) { return value ? "True" : "False"; }

/// The cells of one method on one data set, or of one method.
struct CellGroup {
  std::string method;
  std::string dataset;
  std::vector<std::size_t> members;
};

std::vector<CellGroup> cell_groups(const std::vector<MethodCell>& cells, bool by_dataset) {
  std::vector<CellGroup> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string dataset = by_dataset ? cells[i].dataset : "";
    const auto [entry, is_new] = known.emplace(std::pair(cells[i].method, dataset), groups.size());
    if (is_new) groups.push_back({cells[i].method, dataset, {}});
    groups[entry->second].members.push_back(i);
  }
  return groups;
}

template <typename Value>
std::vector<double> collect(const CellGroup& group, const Value& value) {
  std::vector<double> values;
  for (const std::size_t i : group.members) values.push_back(value(i));
  return values;
}

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

void append_quartiles(Row& row, const std::vector<double>& values) {
  for (const double share : {0.5, 0.25, 0.75}) row.push_back(number_field(quantile(values, share)));
}

/// Errors of a method over those of the reference, on the data sets that both have.
std::vector<double> ratios(const Panel& rmse, const std::string& method, const std::string& reference) {
  std::vector<double> result;
  for (const std::string& dataset : rmse.datasets)
    if (const double ratio = rmse.at(dataset, method) / rmse.at(dataset, reference); !std::isnan(ratio))
      result.push_back(ratio);
  return result;
}

Panel small_sets(const Ranking& ranking, const Panel& panel, double most_features) {
  return restricted_to(
      panel, [&](const std::string& dataset) { return features_of(ranking, dataset) <= most_features; });
}

double best_of(const Panel& rmse, const std::string& dataset, std::initializer_list<const char*> methods) {
  double best = nan;
  for (const char* method : methods)
    if (const double value = rmse.at(dataset, method); !std::isnan(value)) best = std::fmin(best, value);
  return best;
}

struct FailureMode {
  std::string dataset;
  double reference = 0;
  double criteria_best = 0;
  double booster_best = 0;

  double loss_to_criteria() const { return std::log(reference / criteria_best); }
  double loss_to_boosters() const { return std::log(reference / booster_best); }
};

template <typename Loss>
void add_worst(std::set<std::string>& names, std::vector<FailureMode> modes, const Loss& loss) {
  std::erase_if(modes, [&](const FailureMode& mode) { return std::isnan(loss(mode)); });
  std::ranges::stable_sort(modes, std::greater{}, loss);
  for (std::size_t i = 0; i < std::min(worst, modes.size()); ++i) names.insert(modes[i].dataset);
}

std::string explanation(const FailureMode& mode, double features) {
  if (features > too_many_features) return "high post-one-hot dimension";
  return mode.loss_to_boosters() > near_tie ? "non-additive structure favors trees" : "near-tie";
}

}  // namespace

Table summary_table(const Ranking& ranking) {
  Table table{{"method", "dataset"}, {}};
  for (const char* measure : {"rmse", "r2", "mae", "nrmse", "cnl"})
    for (const char* part : {"_median", "_iqr_lo", "_iqr_hi"})
      table.columns.push_back(std::string(measure) + part);
  for (const char* column : {"fit_time_median", "fit_time_total", "n_fits_median", "used_defaults_frac",
                             "used_constant_predictor_frac", "family", "n_seeds"})
    table.columns.emplace_back(column);
  const std::vector<MethodCell>& cells = ranking.cells;
  for (const CellGroup& group : cell_groups(cells, true)) {
    Row row{group.method, group.dataset};
    for (double MethodCell::*field :
         {&MethodCell::rmse, &MethodCell::r2, &MethodCell::mae, &MethodCell::nrmse})
      append_quartiles(row, collect(group, [&](std::size_t i) { return cells[i].*field; }));
    append_quartiles(row, collect(group, [&](std::size_t i) { return ranking.lift[i]; }));
    const auto seconds = collect(group, [&](std::size_t i) { return cells[i].seconds; });
    const auto fits = collect(group, [&](std::size_t i) { return cells[i].fits; });
    const auto defaults = collect(group, [&](std::size_t i) { return cells[i].used_defaults ? 1 : 0; });
    const auto constants = collect(group, [&](std::size_t i) { return cells[i].used_constant ? 1 : 0; });
    for (const double value :
         {median(seconds), total(seconds), median(fits), mean(defaults), mean(constants)})
      row.push_back(number_field(value));
    row.push_back(structure_of(cells, group.method));
    row.push_back(std::to_string(group.members.size()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table pareto_table(const Ranking& ranking, double most_features) {
  const std::string& reference = ranking.options.reference;
  const Panel rmse = small_sets(ranking, ranking.rmse_panel, most_features);
  Table table{{"method", "family", "ref_method", "gm_rmse_ratio", "total_fit_time_s", "total_n_fits",
               "n_datasets_won", "n_datasets_total"},
              {}};
  for (const std::string& method : rmse.methods) {
    double seconds = 0;
    double fits = 0;
    for (const MethodCell& cell : ranking.cells) {
      if (cell.method != method || cell.features > most_features) continue;
      seconds += cell.seconds;
      fits += cell.fits;
    }
    const std::vector<double> against = ratios(rmse, method, reference);
    table.rows.push_back(
        row_of({method, structure_of(ranking.cells, method), reference, geometric_mean(against), seconds,
                static_cast<long long>(fits),
                std::ranges::count_if(against, [](double ratio) { return ratio < 1; }), against.size()}));
  }
  return table;
}

Table threshold_table(const Ranking& ranking) {
  const std::string& reference = ranking.options.reference;
  Table table{
      {"max_d", "method", "n_datasets", "gm_rmse_ratio_vs_" + reference, "mean_rank", "mean_rank_cnl"}, {}};
  for (const int cutoff : cutoffs) {
    const Panel rmse = complete_part(small_sets(ranking, ranking.rmse_panel, cutoff));
    const Panel lift = small_sets(ranking, ranking.lift_panel, cutoff);
    if (rmse.datasets.empty()) continue;
    const std::vector<double> ranks = column_means(rank_rows(rmse.values));
    const std::vector<double> lift_means = column_means(lift_ranks(lift));
    for (std::size_t m = 0; m < rmse.methods.size(); ++m) {
      const std::string& method = rmse.methods[m];
      table.rows.push_back(
          row_of({cutoff, method, rmse.datasets.size(), geometric_mean(ratios(rmse, method, reference)),
                  ranks[m], lift.has(method) ? lift_means[lift.method(method)] : nan}));
    }
  }
  return table;
}

Table failure_mode_table(const Ranking& ranking) {
  const std::string& reference = ranking.options.reference;
  const Panel& rmse = ranking.rmse_panel;
  std::vector<FailureMode> modes;
  for (const std::string& dataset : rmse.datasets)
    modes.push_back({dataset, rmse.at(dataset, reference), best_of(rmse, dataset, criteria),
                     best_of(rmse, dataset, boosters)});
  std::set<std::string> shown;
  add_worst(shown, modes, [](const FailureMode& mode) { return mode.loss_to_criteria(); });
  add_worst(shown, modes, [](const FailureMode& mode) { return mode.loss_to_boosters(); });
  std::erase_if(modes, [&](const FailureMode& mode) { return !shown.contains(mode.dataset); });
  std::ranges::stable_sort(modes, std::greater{}, &FailureMode::loss_to_boosters);
  const Panel train_rows = median_panel(ranking.cells, &MethodCell::train_rows);
  Table table{{"dataset", "n_train", "d", reference + "_rmse", "classical_best_rmse", "booster_best_rmse",
               "log_ratio_vs_classical", "log_ratio_vs_booster", "high_d", "large_loss_vs_classical",
               "large_loss_vs_booster", "structural_explanation"},
              {}};
  for (const FailureMode& mode : modes) {
    const double features = features_of(ranking, mode.dataset);
    table.rows.push_back(
        row_of({mode.dataset, train_rows.at(mode.dataset, reference), features, mode.reference,
                mode.criteria_best, mode.booster_best, mode.loss_to_criteria(), mode.loss_to_boosters(),
                truth(features > many_features), truth(mode.loss_to_criteria() > large_loss),
                truth(mode.loss_to_boosters() > large_loss), explanation(mode, features)}));
  }
  return table;
}

Table failure_fraction_table(const Ranking& ranking) {
  const std::vector<MethodCell>& cells = ranking.cells;
  std::vector<CellGroup> groups = cell_groups(cells, false);
  std::ranges::sort(groups, {}, &CellGroup::method);
  Table table{{"method", "used_defaults_frac", "used_constant_predictor_frac", "n_cells"}, {}};
  for (const CellGroup& group : groups)
    table.rows.push_back(row_of(
        {group.method, mean(collect(group, [&](std::size_t i) { return cells[i].used_defaults ? 1 : 0; })),
         mean(collect(group, [&](std::size_t i) { return cells[i].used_constant ? 1 : 0; })),
         group.members.size()}));
  return table;
}

}  // namespace kore::experiments
