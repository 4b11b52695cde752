#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kore {

// Weights count rows (RowCounts): their sum is the number of rows that the model is sure by. A precision is
// something else: the inverse variance of a row's noise, up to a factor that nobody knows. Only the ratios of
// precisions matter. So precisions become weights that add up to the number of rows: a row of average
// precision counts once. Noise variance and stated errors are then those of a row of average precision.
// Intervals do not know the precision of a row, and are too narrow where it is low.

/// Adds precisions up to twice the digits of a double. So neither the order of rows nor how they are shared
/// out shows in the sum, but for rare ties of rounding.
class PrecisionSum {
 public:
  PrecisionSum() = default;
  /// From the parts of another sum.
  PrecisionSum(double high, double low, std::size_t rows) : high_(high), low_(low), rows_(rows) {}

  void add(std::span<const double> precisions);
  void merge(const PrecisionSum& other);

  double high() const { return high_; }
  double low() const { return low_; }         ///< What `high` lacks.
  std::size_t rows() const { return rows_; }  ///< Whose precision is not zero.

  /// What turns a precision into a weight. Throws `invalid_data` where the sum is not positive and finite.
  double factor() const;

 private:
  void add(double value);

  double high_ = 0;
  double low_ = 0;
  std::size_t rows_ = 0;
};

/// Precisions as the weights of rows: scaled so that they add up to the number of rows whose precision is not
/// zero. Precisions times a power of two give the same bits.
std::vector<double> precision_weights(std::span<const double> precisions);

}  // namespace kore
