#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "report/observed.hpp"

/// Intervals, and what is counted in them.
namespace kore::report {

/// `bins + 1` edges at equal distances.
std::vector<double> even_edges(double low, double high, std::size_t bins);
/// Edges of bins with about equal numbers of values, without repeated edges; at least two edges. Where there
/// are no more different values than bins, each value has its own bin.
std::vector<double> quantile_edges(std::vector<double> values, std::size_t bins);
/// Evenly spaced edges around nearly all of the values. Up to 0.5 % at either end may lie beyond, so that one
/// outlier does not squeeze the others into one bin.
std::vector<double> spread_edges(std::vector<double> values, std::size_t bins);

/// The interval a value lies in; the last one has its upper end too.
std::optional<std::size_t> place_in(std::span<const double> edges, double value);
/// Counts a value, or the position of a level. A value beyond the ends is not counted.
void count(Histogram& histogram, double value, double weight);

/// Running sums of errors.
struct ErrorTally {
  double weight = 0;
  double at = 0;  ///< Mean of the values.
  double mean = 0;
  double squares = 0;  ///< Of deviations from the mean.
  double covered = 0;

  void add(double value, double error, double of_weight, bool is_covered);
};

struct ErrorBins {
  std::vector<double> edges;  ///< Empty for levels.
  std::vector<ErrorTally> tallies;

  static ErrorBins between(std::vector<double> edges);
  static ErrorBins of_levels(int levels);
};

/// Adds an error at `value`; beyond the ends, to the first or last interval.
void add_error(ErrorBins& bins, double value, double error, double weight, bool is_covered);
std::vector<ErrorBin> finished(const ErrorBins& bins);

/// A list of numbers that drops every second one when it becomes too long.
class ThinnedNumbers {
 public:
  void add(double value);
  std::vector<double> take_sorted();

 private:
  std::vector<double> kept_;
  std::size_t seen_ = 0;
  std::size_t step_ = 1;
};

/// At most `count` of sorted values at evenly spaced ranks, both ends among them.
std::vector<double> evenly_spaced(const std::vector<double>& sorted, std::size_t count);

}  // namespace kore::report
