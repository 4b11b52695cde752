#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kore/model.hpp"
#include "kore/rows.hpp"
#include "report/graded.hpp"

/// Sums and counts over the rows that a report shows. Their size does not depend on the number of rows.
namespace kore::report {

/// Points along a side of a drawn surface; rows are counted in fields around them.
inline constexpr std::size_t surface_points = 21;

/// Weighted counts in neighbouring intervals; of a category, one for each level, without edges.
struct Histogram {
  std::vector<double> edges;
  std::vector<double> counts;
};

/// Errors of the rows whose value lies in one interval, or at one level.
struct ErrorBin {
  double at = 0;  ///< Mean of the values, or the position of the level.
  double weight = 0;
  double mean = 0;
  double deviation = 0;  ///< Standard deviation of the errors.
  double covered = 0;    ///< Share of them within the 90 % interval.

  double standard_error() const;
};

/// Rows counted by two quantities.
struct CountGrid {
  std::vector<double> x_edges;
  std::vector<double> y_edges;
  std::vector<double> counts;  ///< [x][y]
  double outside = 0;          ///< Rows beyond the drawn range.
};

/// Where the rows of a feature lie.
struct FeatureSample {
  Range central{0, 0};   ///< Nearly all of them: the central 99 %.
  bool whole = false;    ///< All values are whole numbers.
  double far_share = 0;  ///< Further than three times the range of the middle half from that half.
  /// All different values in rising order, where they are few whole numbers; otherwise empty.
  std::vector<double> values = {};
};
inline constexpr std::size_t most_single_values = 15;
FeatureSample sample_of(std::vector<double> values);

struct Coverage {
  double level = 0;
  double covered = 0;
  double width = 0;  ///< Of the interval, on average.
};

struct LargeError {
  std::size_t row = 0;  ///< Counted from 1.
  double observed = 0;
  double predicted = 0;
  double leverage = 0;
  std::vector<double> features;
};

/// Two terms whose values rise and fall together.
struct Overlap {
  std::size_t left = 0;
  std::size_t right = 0;
  double correlation = 0;
};

/// Two features whose numbers go together, row by row.
struct NearEqual {
  std::size_t left = 0;
  std::size_t right = 0;
  double correlation = 0;
  bool equal = false;  ///< The same number in every row that was looked at.
};

struct Observed {
  std::size_t rows = 0;
  double weight = 0;
  /// The rows of the fit: errors are then those of rows left out. Otherwise they are plain errors on new
  /// rows.
  bool training = false;
  double mean_square = 0;              ///< Of the errors.
  double target_variance = 0;          ///< Around the mean of these rows.
  std::vector<Histogram> data;         ///< Per feature.
  std::vector<FeatureSample> samples;  ///< Per feature.
  /// Per term of two features (empty for others): rows in the fields around the points of its surface, the
  /// second feature fastest. Of three features: the same for each of its slices, one after the other.
  std::vector<std::vector<double>> surfaces;
  CountGrid by_fitted;
  std::vector<ErrorBin> fitted_bins;
  std::vector<std::vector<ErrorBin>> feature_bins;  ///< Per feature; a category's levels in their order.
  std::vector<double> error_quantiles;              ///< Rising, at evenly spaced ranks.
  Histogram leverages;                              ///< Empty for new rows.
  std::vector<Coverage> coverage;                   ///< Empty where the model has no intervals.
  std::vector<LargeError> largest;
  std::vector<LargeError> examples;   ///< Rows at equal distances in the whole table.
  std::vector<Overlap> overlaps;      ///< The strongest first.
  std::vector<NearEqual> near_equal;  ///< The strongest first; of at most some thousand rows.
  std::optional<Graded> graded;       ///< Of families other than the normal one.
};

/// Reads the rows two or three times. It fits them to find out whether they are the rows of the fit: the same
/// rows give the same model.
Observed observe(const RowSource& source, const Model& model, int threads);

}  // namespace kore::report
