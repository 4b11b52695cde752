#include "experiments/statistics/tests.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "experiments/statistics/ranks.hpp"
#include "kore/error.hpp"

namespace kore::experiments {
namespace {

constexpr std::size_t largest_exact = 50;

/// P(T <= statistic) of a sum of ranks 1..count that each are in it or not by the toss of a coin. Counts of
/// subsets stay below 2^50, so that all sums are exact.
double signed_rank_probability(double statistic, std::size_t count) {
  std::vector<double> subsets(count * (count + 1) / 2 + 1);
  subsets[0] = 1;
  for (std::size_t rank = 1; rank <= count; ++rank)
    for (std::size_t sum = subsets.size() - 1; sum >= rank; --sum) subsets[sum] += subsets[sum - rank];
  double below = 0;
  for (std::size_t sum = 0; static_cast<double>(sum) <= statistic; ++sum) below += subsets[sum];
  return std::ldexp(below, -static_cast<int>(count));
}

double normal_p(double statistic, double count, double ties) {
  const double centre = count * (count + 1) / 4;
  const double variance = (count * (count + 1) * (2 * count + 1) - ties / 2) / 24;
  const double z = (statistic - centre) / std::sqrt(variance);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::normal(), -std::abs(z)));
}

}  // namespace

TestResult friedman(const Grid& grid) {
  if (grid.columns < 3 || grid.rows < 2)
    throw Error(ErrorCode::invalid_argument,
                "Friedman's test needs at least three methods and two data sets that all of them ran on.");
  const auto k = static_cast<double>(grid.columns);
  const auto n = static_cast<double>(grid.rows);
  double ties = 0;
  for (std::size_t r = 0; r < grid.rows; ++r) ties += tie_sum(grid.row(r));
  const double correction = 1 - ties / (k * (k * k - 1) * n);
  if (correction <= 0) return {0, 1};
  double squares = 0;
  for (const double rank : column_means(rank_rows(grid))) squares += n * rank * n * rank;
  const double statistic = (12 / (k * n * (k + 1)) * squares - 3 * n * (k + 1)) / correction;
  const boost::math::chi_squared distribution(k - 1);
  return {statistic, boost::math::cdf(boost::math::complement(distribution, std::max(0.0, statistic)))};
}

TestResult wilcoxon(std::span<const double> differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    positive.push_back(difference > 0);
  }
  if (sizes.empty()) return {0, 1};
  const std::vector<double> ranks = average_ranks(sizes);
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) (positive[i] ? above : below) += ranks[i];
  const double statistic = std::min(above, below);
  const double ties = tie_sum(sizes);
  if (ties == 0 && sizes.size() <= largest_exact)
    return {statistic, std::min(1.0, 2 * signed_rank_probability(statistic, sizes.size()))};
  return {statistic, normal_p(statistic, static_cast<double>(sizes.size()), ties)};
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const double left = static_cast<double>(p.size() - place);
    largest = std::max(largest, std::min(1.0, left * p[order[place]]));
    adjusted[order[place]] = largest;
  }
  return adjusted;
}

}  // namespace kore::experiments
