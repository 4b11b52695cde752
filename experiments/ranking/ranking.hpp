#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/ranking/cells.hpp"
#include "experiments/study.hpp"

namespace kore::experiments {

struct RankingOptions {
  std::string reference = "kore";   ///< The method that all others are compared with.
  std::string baseline = "linear";  ///< The method that lift is measured from.
  double alpha = 1;                 ///< Weight of the time in the lift.
  double level = 0.05;              ///< Of all tests.
  double most_features = 30;        ///< Of the data sets in the subset.
  std::size_t resamples = 1000;
  std::uint64_t seed = 2026;  ///< Of the resamples.
};

/// A table of cells and what all summaries of it begin with.
struct Ranking {
  RankingOptions options;
  std::vector<MethodCell> cells;
  std::vector<double> lift;  ///< Of each cell.
  Panel lift_panel;          ///< Medians; only methods without a gap.
  Panel rmse_panel;          ///< Medians of all methods.
  std::vector<std::string> dropped;
};

/// Throws `invalid_data` or `invalid_argument` in a sentence where the cells allow no ranking.
Ranking make_ranking(const Table& table, const RankingOptions& options = {});

/// Ranks of the methods on each data set by falling lift; the smallest is the best.
Grid lift_ranks(const Panel& lift_panel);
/// Features of a data set after dummies.
double features_of(const Ranking& ranking, const std::string& dataset);

/// One method against the reference over all splits that both have.
struct Versus {
  std::string method;
  std::size_t pairs = 0;
  double median_difference = 0;  ///< Lift of the reference minus that of the method.
  double p = 1;
  double p_holm = 1;
  int direction = 0;  ///< 1: the reference is better, -1: worse, 0: not told apart.
};
/// All methods but the reference, in the order of their first cell.
std::vector<Versus> against_reference(const Ranking& ranking, double alpha);

// The summary files, with the published columns.

Table summary_table(const Ranking& ranking);
Table rank_table(const Ranking& ranking);
nlohmann::json friedman_summary(const Ranking& ranking);
Table significance_table(const Ranking& ranking);
Table joint_significance_table(const Ranking& ranking);
Table bootstrap_table(const Ranking& ranking);
/// Accuracy and cost over the data sets with at most so many features.
Table pareto_table(const Ranking& ranking, double most_features);
Table threshold_table(const Ranking& ranking);
/// Where the reference loses most: the worst five against the criteria's splines and the worst five against
/// the boosters.
Table failure_mode_table(const Ranking& ranking);
Table failure_fraction_table(const Ranking& ranking);

/// All tables under their file names; `friedman_summary` is the one that is not a table.
std::vector<NamedTable> ranking_tables(const Ranking& ranking);
inline constexpr const char* friedman_file = "real_data_friedman.json";

}  // namespace kore::experiments
