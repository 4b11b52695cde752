#include "experiments/ranking/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "experiments/averages.hpp"
#include "experiments/statistics/ranks.hpp"
#include "experiments/statistics/studentised_range.hpp"
#include "experiments/statistics/tests.hpp"
#include "kore/error.hpp"

namespace kore::experiments {
namespace {

constexpr double alphas[] = {0, 0.25, 0.5, 1, 2};

void require_method(const std::vector<MethodCell>& cells, const std::string& name) {
  if (std::ranges::find(cells, name, &MethodCell::method) != cells.end()) return;
  std::string known;
  for (const std::string& method : methods_in_order(cells)) known += (known.empty() ? "" : ", ") + method;
  throw Error(ErrorCode::invalid_data,
              "The table has no cells of the method '" + name + "'; it has those of " + known + ".");
}

std::string verdict(const Ranking& ranking, const Versus& versus) {
  if (versus.direction == 0) return "tied";
  return ranking.options.reference + (versus.direction > 0 ? "_better" : "_worse");
}

/// Lift of the reference minus that of a method, split by split.
std::vector<double> differences(const Ranking& ranking, const std::vector<double>& lift,
                                const std::string& method) {
  std::map<std::pair<std::string, std::uint64_t>, double> of_reference;
  for (std::size_t i = 0; i < lift.size(); ++i)
    if (const MethodCell& cell = ranking.cells[i]; cell.method == ranking.options.reference)
      of_reference[{cell.dataset, cell.seed}] = lift[i];
  std::vector<double> result;
  for (std::size_t i = 0; i < lift.size(); ++i) {
    const MethodCell& cell = ranking.cells[i];
    const auto found = of_reference.find({cell.dataset, cell.seed});
    if (cell.method == method && found != of_reference.end()) result.push_back(found->second - lift[i]);
  }
  return result;
}

/// Methods by rising mean rank; equal ones by name.
std::vector<std::size_t> by_rank(const std::vector<double>& mean_ranks) {
  std::vector<std::size_t> order(mean_ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return mean_ranks[i]; });
  return order;
}

}  // namespace

Ranking make_ranking(const Table& table, const RankingOptions& options) {
  if (!(options.alpha >= 0) || !std::isfinite(options.alpha))
    throw Error(ErrorCode::invalid_argument, "The weight alpha of the time must be a number of at least 0.");
  std::vector<MethodCell> cells = method_cells(table);
  require_method(cells, options.reference);
  require_method(cells, options.baseline);
  std::vector<double> lift = lifts(cells, options.baseline, options.alpha);
  const Panel all = median_panel(cells, lift);
  Panel rmse = median_panel(cells, &MethodCell::rmse);
  return {options,         std::move(cells),       std::move(lift), complete_part(all),
          std::move(rmse), incomplete_methods(all)};
}

Grid lift_ranks(const Panel& lift_panel) {
  Grid falling = lift_panel.values;
  for (double& value : falling.values) value = -value;
  return rank_rows(falling);
}

double features_of(const Ranking& ranking, const std::string& dataset) {
  const auto found = std::ranges::find(ranking.cells, dataset, &MethodCell::dataset);
  return found == ranking.cells.end() ? std::numeric_limits<double>::quiet_NaN() : found->features;
}

std::vector<Versus> against_reference(const Ranking& ranking, double alpha) {
  const std::vector<double> lift = lifts(ranking.cells, ranking.options.baseline, alpha);
  std::vector<Versus> result;
  std::vector<double> p;
  for (const std::string& method : methods_in_order(ranking.cells)) {
    if (method == ranking.options.reference) continue;
    const std::vector<double> deltas = differences(ranking, lift, method);
    p.push_back(wilcoxon(deltas).p);
    result.push_back({method, deltas.size(), median(deltas), p.back(), 1, 0});
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].p_holm = adjusted[i];
    if (adjusted[i] < ranking.options.level) result[i].direction = result[i].median_difference > 0 ? 1 : -1;
  }
  return result;
}

Table rank_table(const Ranking& ranking) {
  const Panel& panel = ranking.lift_panel;
  const std::vector<double> ranks = column_means(lift_ranks(panel));
  Table table{{"method", "family", "mean_rank", "n_datasets", "k_methods"}, {}};
  for (const std::size_t m : by_rank(ranks))
    table.rows.push_back(row_of({panel.methods[m], structure_of(ranking.cells, panel.methods[m]), ranks[m],
                                 panel.datasets.size(), panel.methods.size()}));
  return table;
}

nlohmann::json friedman_summary(const Ranking& ranking) {
  const Panel& panel = ranking.lift_panel;
  Grid falling = panel.values;
  for (double& value : falling.values) value = -value;
  const TestResult test = friedman(falling);
  const CriticalDifference difference =
      nemenyi(panel.methods.size(), panel.datasets.size(), ranking.options.level);
  const std::vector<double> ranks = column_means(lift_ranks(panel));
  std::string alpha = number_field(ranking.options.alpha);
  if (alpha.ends_with(".0")) alpha.resize(alpha.size() - 2);
  nlohmann::json mean_ranks = nlohmann::json::object();
  for (std::size_t m = 0; m < ranks.size(); ++m) mean_ranks[panel.methods[m]] = ranks[m];
  return {{"cd", difference.published},
          {"cd_textbook", difference.textbook},
          {"cd_alpha", ranking.options.level},
          {"dropped_methods", ranking.dropped},
          {"friedman_p", test.p},
          {"friedman_stat", test.statistic},
          {"k_methods", panel.methods.size()},
          {"mean_ranks", mean_ranks},
          {"n_datasets", panel.datasets.size()},
          {"score_metric",
           "cnl_median (max(0, max(0, r2_test) - max(0, r2_ols)) / (1 + fit_time_s), alpha=" + alpha + ")"}};
}

Table significance_table(const Ranking& ranking) {
  Table table{{"method", "n_obs", "median_delta", "wilcoxon_p_raw", "wilcoxon_p_holm", "direction"}, {}};
  std::vector<Versus> list = against_reference(ranking, ranking.options.alpha);
  std::ranges::sort(list, {}, &Versus::method);
  for (const Versus& versus : list)
    table.rows.push_back(row_of({versus.method, versus.pairs, versus.median_difference, versus.p,
                                 versus.p_holm, verdict(ranking, versus)}));
  return table;
}

Table joint_significance_table(const Ranking& ranking) {
  Table table{{"method", "alpha", "n_obs", "median_delta", "wilcoxon_p_raw", "wilcoxon_p_holm", "direction"},
              {}};
  for (const double alpha : alphas)
    for (const Versus& versus : against_reference(ranking, alpha))
      table.rows.push_back(row_of({versus.method, alpha, versus.pairs, versus.median_difference, versus.p,
                                   versus.p_holm, verdict(ranking, versus)}));
  return table;
}

Table bootstrap_table(const Ranking& ranking) {
  const RankingOptions& options = ranking.options;
  const std::vector<BootstrapMean> means =
      bootstrap_means(lift_ranks(ranking.lift_panel), options.resamples, options.seed);
  std::vector<double> ranks;
  for (const BootstrapMean& mean : means) ranks.push_back(mean.mean);
  Table table{{"method", "mean_rank", "ci_lo_2p5", "ci_hi_97p5", "n_boot"}, {}};
  for (const std::size_t m : by_rank(ranks))
    table.rows.push_back(row_of(
        {ranking.lift_panel.methods[m], means[m].mean, means[m].lower, means[m].upper, options.resamples}));
  return table;
}

std::vector<NamedTable> ranking_tables(const Ranking& ranking) {
  return {{"real_data_summary.csv", summary_table(ranking)},
          {"real_data_ranks.csv", rank_table(ranking)},
          {"real_data_significance.csv", significance_table(ranking)},
          {"real_data_joint_significance.csv", joint_significance_table(ranking)},
          {"real_data_bootstrap_ranks.csv", bootstrap_table(ranking)},
          {"real_data_pareto.csv", pareto_table(ranking, std::numeric_limits<double>::infinity())},
          {"real_data_subset.csv", pareto_table(ranking, ranking.options.most_features)},
          {"real_data_threshold_sensitivity.csv", threshold_table(ranking)},
          {"real_data_failure_modes.csv", failure_mode_table(ranking)},
          {"method_failure_fractions.csv", failure_fraction_table(ranking)}};
}

}  // namespace kore::experiments
