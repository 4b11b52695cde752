#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "experiments/ranking/ranking.hpp"

/// What the figures of a ranking show, as numbers.
namespace kore::experiments {

/// Methods whose mean ranks are closer than the critical difference, as many as fit together.
struct RankGroup {
  double lowest = 0;
  double highest = 0;
  std::vector<std::string> methods;  ///< By rising rank.
};
/// All such groups that are not part of another, the best first; a method that is alone makes none.
std::vector<RankGroup> rank_groups(const Ranking& ranking, double difference);

/// Lift below it counts as it in a ratio, which is then defined where a method gains nothing.
inline constexpr double least_lift = 1e-3;

/// The median lift of the reference and of another method on one data set.
struct LiftPair {
  std::string dataset;
  double reference = 0;
  double other = 0;

  double ratio() const { return std::max(reference, least_lift) / std::max(other, least_lift); }
};
std::vector<LiftPair> lift_pairs(const Ranking& ranking, const std::string& other);
struct LiftWins {
  std::size_t reference = 0;
  std::size_t other = 0;
  std::size_t tied = 0;
};
/// Lifts within 1e-9 are tied.
LiftWins count_wins(const std::vector<LiftPair>& pairs);
std::vector<double> lift_ratios(const std::vector<LiftPair>& pairs);

/// Mean ranks of each method over the data sets of a range of sizes.
struct SizeClass {
  double above = 0;  ///< Minus infinite for the first.
  double up_to = 0;  ///< Infinite for the last.
  std::size_t datasets = 0;
  std::vector<double> mean_ranks;  ///< In the order of the panel's methods.
};
using Sizes = std::map<std::string, double>;
/// Cut at the quartiles of the sizes.
std::vector<SizeClass> ranks_by_size(const Ranking& ranking, const Sizes& sizes);

/// Training rows of each data set, as the cells have them.
Sizes training_rows(const Ranking& ranking);

/// The methods that come nearest to the reference in rank, best first.
std::vector<std::string> nearest_rivals(const Ranking& ranking, std::size_t count);

}  // namespace kore::experiments
