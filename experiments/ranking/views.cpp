#include "experiments/ranking/views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/averages.hpp"
#include "experiments/statistics/ranks.hpp"

namespace kore::experiments {
namespace {

/// Lifts that differ by rounding alone are no win.
constexpr double same_lift = 1e-9;

}  // namespace

std::vector<RankGroup> rank_groups(const Ranking& ranking, double difference) {
  const Table ranks = rank_table(ranking);
  std::vector<RankGroup> groups;
  std::size_t reached = 0;  // the end of the last group
  for (std::size_t first = 0; first < ranks.rows.size(); ++first) {
    const double lowest = ranks.number(first, "mean_rank");
    std::size_t end = first;
    while (end < ranks.rows.size() && ranks.number(end, "mean_rank") < lowest + difference) ++end;
    if (end <= reached || end - first < 2) continue;
    RankGroup group{lowest, ranks.number(end - 1, "mean_rank"), {}};
    for (std::size_t r = first; r < end; ++r) group.methods.push_back(ranks.text(r, "method"));
    groups.push_back(std::move(group));
    reached = end;
  }
  return groups;
}

std::vector<LiftPair> lift_pairs(const Ranking& ranking, const std::string& other) {
  const Panel& panel = ranking.lift_panel;
  std::vector<LiftPair> pairs;
  if (!panel.has(other)) return pairs;
  for (const std::string& dataset : panel.datasets)
    pairs.push_back({dataset, panel.at(dataset, ranking.options.reference), panel.at(dataset, other)});
  return pairs;
}

LiftWins count_wins(const std::vector<LiftPair>& pairs) {
  LiftWins wins;
  for (const LiftPair& pair : pairs) {
    const double difference = pair.reference - pair.other;
    ++(difference > same_lift ? wins.reference : difference < -same_lift ? wins.other : wins.tied);
  }
  return wins;
}

std::vector<double> lift_ratios(const std::vector<LiftPair>& pairs) {
  std::vector<double> ratios;
  for (const LiftPair& pair : pairs) ratios.push_back(pair.ratio());
  return ratios;
}

std::vector<SizeClass> ranks_by_size(const Ranking& ranking, const Sizes& sizes) {
  const Panel& panel = ranking.lift_panel;
  std::vector<double> all;
  for (const std::string& dataset : panel.datasets)
    if (sizes.contains(dataset)) all.push_back(sizes.at(dataset));
  std::vector<double> cuts{-std::numeric_limits<double>::infinity()};
  for (const double share : {0.25, 0.5, 0.75})
    if (const double cut = quantile(all, share); cut > cuts.back()) cuts.push_back(cut);
  cuts.push_back(std::numeric_limits<double>::infinity());
  std::vector<SizeClass> classes;
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    const Panel part = restricted_to(panel, [&](const std::string& dataset) {
      const auto found = sizes.find(dataset);
      return found != sizes.end() && found->second > cuts[c] && found->second <= cuts[c + 1];
    });
    if (!part.datasets.empty())
      classes.push_back({cuts[c], cuts[c + 1], part.datasets.size(), column_means(lift_ranks(part))});
  }
  return classes;
}

Sizes training_rows(const Ranking& ranking) {
  Sizes sizes;
  for (const MethodCell& cell : ranking.cells) sizes[cell.dataset] = cell.train_rows;
  return sizes;
}

std::vector<std::string> nearest_rivals(const Ranking& ranking, std::size_t count) {
  const Table ranks = rank_table(ranking);
  std::vector<std::string> names;
  for (std::size_t r = 0; r < ranks.rows.size() && names.size() < count; ++r)
    if (ranks.text(r, "method") != ranking.options.reference) names.push_back(ranks.text(r, "method"));
  return names;
}

}  // namespace kore::experiments
