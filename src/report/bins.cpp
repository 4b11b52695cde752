#include "report/bins.hpp"

#include <algorithm>
#include <cmath>

namespace kore::report {
namespace {

constexpr std::size_t most_numbers = std::size_t{1} << 19;

/// By how much to widen a range that is a single number, so that it can be shown.
double widened(double low, double high) { return high > low ? 0 : std::max(std::abs(low) * 1e-9, 1e-12); }

}  // namespace

std::vector<double> even_edges(double low, double high, std::size_t bins) {
  const double margin = widened(low, high);
  low -= margin;
  high += margin;
  std::vector<double> edges(bins + 1);
  for (std::size_t i = 0; i <= bins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(bins);
    edges[i] = low * (1 - share) + high * share;
  }
  return edges;
}

std::vector<double> quantile_edges(std::vector<double> values, std::size_t bins) {
  std::ranges::sort(values);
  if (values.empty()) return {0, 1};
  std::vector<double> different = values;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() > 1 && different.size() <= bins) {
    std::vector<double> between{different.front()};
    for (std::size_t i = 1; i < different.size(); ++i)
      between.push_back((different[i - 1] + different[i]) / 2);
    between.push_back(different.back());
    return between;
  }
  std::vector<double> edges;
  for (std::size_t i = 0; i <= bins; ++i) {
    const double edge = values[i * (values.size() - 1) / bins];
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  if (edges.size() == 1) return even_edges(edges[0], edges[0], 1);
  return edges;
}

std::vector<double> spread_edges(std::vector<double> values, std::size_t bins) {
  if (values.empty()) return even_edges(0, 1, bins);
  std::ranges::sort(values);
  const std::size_t cut = values.size() / 200;
  const double low = values[cut];
  const double high = values[values.size() - 1 - cut];
  const double margin = (high - low) / 20;
  return even_edges(low - margin, high + margin, bins);
}

std::optional<std::size_t> place_in(std::span<const double> edges, double value) {
  if (edges.size() < 2 || !(value >= edges.front() && value <= edges.back())) return std::nullopt;
  const auto above = std::ranges::upper_bound(edges, value);
  const auto place = static_cast<std::size_t>(above - edges.begin());
  return std::min(place, edges.size() - 1) - 1;
}

void count(Histogram& histogram, double value, double weight) {
  if (histogram.edges.empty()) {
    const std::size_t last = histogram.counts.size() - 1;
    const auto level = value >= 0 ? static_cast<std::size_t>(value) : last;
    histogram.counts[std::min(level, last)] += weight;
    return;
  }
  // Edges are even: the place follows without a search.
  const double low = histogram.edges.front();
  const double high = histogram.edges.back();
  if (!(value >= low && value <= high)) return;
  const auto bins = static_cast<double>(histogram.counts.size());
  const auto place = static_cast<std::size_t>((value - low) / (high - low) * bins);
  histogram.counts[std::min(place, histogram.counts.size() - 1)] += weight;
}

void ErrorTally::add(double value, double error, double of_weight, bool is_covered) {
  weight += of_weight;
  at += of_weight / weight * (value - at);
  const double before = error - mean;
  mean += of_weight / weight * before;
  squares += of_weight * before * (error - mean);
  if (is_covered) covered += of_weight;
}

ErrorBins ErrorBins::between(std::vector<double> edges) {
  const std::size_t bins = edges.size() - 1;
  return {std::move(edges), std::vector<ErrorTally>(bins)};
}

ErrorBins ErrorBins::of_levels(int levels) {
  return {{}, std::vector<ErrorTally>(static_cast<std::size_t>(levels))};
}

void add_error(ErrorBins& bins, double value, double error, double weight, bool is_covered) {
  if (bins.tallies.empty()) return;
  const std::size_t last = bins.tallies.size() - 1;
  std::size_t place = last;
  if (bins.edges.empty())
    place = value >= 0 ? std::min(static_cast<std::size_t>(value), last) : last;
  else if (const auto inside = place_in(bins.edges, value))
    place = *inside;
  else if (value < bins.edges.front())
    place = 0;
  bins.tallies[place].add(value, error, weight, is_covered);
}

std::vector<ErrorBin> finished(const ErrorBins& bins) {
  std::vector<ErrorBin> result;
  for (std::size_t i = 0; i < bins.tallies.size(); ++i) {
    const ErrorTally& sums = bins.tallies[i];
    const double safe = std::max(sums.weight, 1e-300);
    // A level has its own position, even without rows.
    const double at = bins.edges.empty() ? static_cast<double>(i) : sums.at;
    result.push_back({at, sums.weight, sums.mean, std::sqrt(sums.squares / safe), sums.covered / safe});
  }
  return result;
}

void ThinnedNumbers::add(double value) {
  if (seen_++ % step_ == 0) kept_.push_back(value);
  if (kept_.size() < most_numbers) return;
  for (std::size_t i = 0; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
  kept_.resize((kept_.size() + 1) / 2);
  step_ *= 2;
}

std::vector<double> ThinnedNumbers::take_sorted() {
  std::ranges::sort(kept_);
  return std::move(kept_);
}

std::vector<double> evenly_spaced(const std::vector<double>& sorted, std::size_t count) {
  if (sorted.size() <= count) return sorted;
  std::vector<double> picked;
  for (std::size_t i = 0; i < count; ++i) picked.push_back(sorted[i * (sorted.size() - 1) / (count - 1)]);
  return picked;
}

}  // namespace kore::report
