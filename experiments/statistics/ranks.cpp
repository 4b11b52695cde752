#include "experiments/statistics/ranks.hpp"

#include <algorithm>
#include <numeric>

#include "experiments/averages.hpp"
#include "experiments/random/generator.hpp"

namespace kore::experiments {
namespace {

/// Calls `use` with each group of positions that hold equal values, the smallest value first, and the number
/// of values before the group.
template <typename Use>
void for_each_tie(std::span<const double> values, const Use& use) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    use(std::span<const std::size_t>(order).subspan(first, end - first), first);
    first = end;
  }
}

}  // namespace

std::vector<double> average_ranks(std::span<const double> values) {
  std::vector<double> ranks(values.size());
  for_each_tie(values, [&](std::span<const std::size_t> group, std::size_t before) {
    const double shared = static_cast<double>(before) + (static_cast<double>(group.size()) + 1) / 2;
    for (const std::size_t i : group) ranks[i] = shared;
  });
  return ranks;
}

double tie_sum(std::span<const double> values) {
  double sum = 0;
  for_each_tie(values, [&](std::span<const std::size_t> group, std::size_t) {
    const auto size = static_cast<double>(group.size());
    sum += size * size * size - size;
  });
  return sum;
}

Grid rank_rows(const Grid& grid) {
  Grid ranks(grid.rows, grid.columns);
  for (std::size_t r = 0; r < grid.rows; ++r)
    std::ranges::copy(average_ranks(grid.row(r)), ranks.row(r).begin());
  return ranks;
}

std::vector<double> column_means(const Grid& grid) {
  std::vector<double> means(grid.columns);
  for (std::size_t r = 0; r < grid.rows; ++r)
    for (std::size_t c = 0; c < grid.columns; ++c) means[c] += grid.at(r, c);
  for (double& value : means) value /= static_cast<double>(grid.rows);
  return means;
}

std::vector<BootstrapMean> bootstrap_means(const Grid& grid, std::size_t resamples, std::uint64_t seed) {
  Generator generator(seed);
  Grid means(grid.columns, resamples);
  for (std::size_t b = 0; b < resamples; ++b) {
    Grid drawn(grid.rows, grid.columns);
    const auto last = static_cast<std::int64_t>(grid.rows);
    std::size_t place = 0;
    for (const std::int64_t r : generator.integers(0, last, grid.rows))
      std::ranges::copy(grid.row(static_cast<std::size_t>(r)), drawn.row(place++).begin());
    const std::vector<double> mean_of_draw = column_means(drawn);
    for (std::size_t c = 0; c < grid.columns; ++c) means.at(c, b) = mean_of_draw[c];
  }
  std::vector<BootstrapMean> result;
  for (std::size_t c = 0; c < grid.columns; ++c)
    result.push_back({mean(means.row(c)), quantile(means.row(c), 0.025), quantile(means.row(c), 0.975)});
  return result;
}

}  // namespace kore::experiments
