#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kore/design.hpp"
#include "kore/rows.hpp"
#include "kore/working_rows.hpp"

namespace kore {

// Sums over rows, from which fits are made. A fit needs the Gram matrix `B'WB`, the products `B'Wy` and
// `y'Wy` (GramAccumulator); its leave-one-out error is a sum over rows too (PressSums). Each accumulator has
// three operations: rows are added in blocks, two accumulators of the same kind merge into that of all their
// rows, and any can be sent elsewhere as bytes. Threads, files larger than memory and clusters all use these
// three. Memory depends on the columns and not on the rows.

/// The smallest and largest value of every feature and of the target, and the target's mean and variance,
/// over rows of positive weight. Throws `invalid_data`, with the place, for values that no later pass could
/// use: those that are not finite or beyond 1e300, and negative weights.
class RangeAccumulator {
 public:
  explicit RangeAccumulator(std::size_t columns, std::vector<std::string> names = {});

  void add(const RowBlock& block, int threads = 1);
  void merge(const RangeAccumulator& other);
  std::vector<std::byte> serialize() const;
  static RangeAccumulator deserialize(std::span<const std::byte> bytes);

  std::size_t columns() const { return ranges_.size(); }
  std::size_t rows() const { return rows_; }
  double weight_sum() const { return weight_; }
  /// Rows whose weight is not zero.
  std::size_t weighted_rows() const { return weighted_rows_; }
  /// Rows that came with a group.
  std::size_t grouped_rows() const { return grouped_rows_; }
  const Range& target() const { return target_; }
  double target_mean() const { return target_mean_; }
  double target_variance() const { return weight_ > 0 ? target_squares_ / weight_ : 0; }
  /// One per column. Throws `too_few_rows` if no row was seen and `invalid_data` if all weights are zero.
  const std::vector<Range>& ranges() const;

 private:
  void add_target(const RowBlock& block);
  void add_groups(const RowBlock& block);
  [[noreturn]] void refuse(const std::string& place, std::size_t row, double value) const;

  std::vector<std::string> names_;
  std::vector<Range> ranges_;
  Range target_;
  std::size_t rows_ = 0;
  std::size_t weighted_rows_ = 0;
  std::size_t grouped_rows_ = 0;
  double weight_ = 0;
  double target_mean_ = 0;
  double target_squares_ = 0;  // of deviations from the mean
};

/// Which products of terms are accumulated.
enum class GramBlocks {
  all,       ///< Every pair of terms: what a fit needs.
  diagonal,  ///< Each term with itself only: what screening needs.
  none,      ///< Only the products with the target and with one.
};

/// The sufficient statistics of a least-squares step: sums of products of the raw functions of a design with
/// each other, with the target and with one, over working rows with their weights `w` and targets `y`. A row
/// costs time in proportion to the functions that are not zero there; memory does not depend on the rows.
class GramAccumulator {
 public:
  explicit GramAccumulator(Design design, GramBlocks blocks = GramBlocks::all);
  ~GramAccumulator();
  GramAccumulator(GramAccumulator&&) noexcept;
  GramAccumulator& operator=(GramAccumulator&&) noexcept;

  /// `threads` 0: all cores. A long block is cut into parts with sums of their own; how many depends on the
  /// rows and the design, never on the threads. Within a part each sum runs in the order of the rows, by one
  /// thread. So the result does not depend on the number of threads.
  void add(const WorkingBlock& block, int threads = 1);
  void merge(const GramAccumulator& other);
  std::vector<std::byte> serialize() const;
  static GramAccumulator deserialize(Design design, std::span<const std::byte> bytes);

  /// The accumulator of a design with the given terms alone, in ascending order. Their sums are copied,
  /// without another pass over the rows. Features stay as they are.
  GramAccumulator restricted_to(std::span<const std::size_t> terms) const;

  const Design& design() const;
  GramBlocks kept() const;  ///< Which products.
  std::size_t rows() const;
  double weight_sum() const;      ///< `sum w`
  double count_sum() const;       ///< Sum of the rows' counts: the `n` of every formula.
  double target_sum() const;      ///< `sum w y`
  double target_squares() const;  ///< `sum w y^2`

  /// `sum w left right'` over the raw functions of two terms, `left <= right`, row-major.
  std::vector<double> block(std::size_t left, std::size_t right) const;
  /// `sum w b` and `sum w y b` over the raw functions of all terms.
  std::vector<double> sums() const;
  std::vector<double> target_products() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What one pass of losses and leverages adds up to, over rows that count. For the normal response, with
/// counts `w`, residuals `e` and leverages `h`:
struct PressSums {
  std::size_t rows = 0;
  double weight_sum = 0;     ///< Sum of the counts: the `n` of every formula.
  double left_out_loss = 0;  ///< `sum w (e / (1 - w h))^2`: a row that counts w times leaves as a whole.
  double loss = 0;           ///< `sum w e^2`
  double leverage = 0;       ///< `sum w h`, the effective number of parameters.
  double max_leverage = 0;   ///< Largest `w h`.
  /// Mean left-out loss of the constant model less that of the fit, in units of the target's mean square.
  double gain_mean = 0;
  double gain_squares = 0;  ///< Weighted sum of squared deviations from that mean.

  /// The mean left-out loss: for the normal response, the leave-one-out mean squared error.
  double loo() const { return left_out_loss / weight_sum; }
  double mean_loss() const { return loss / weight_sum; }
  /// The paper's signal score: mean gain over the constant model in units of 1.96 standard errors.
  double signal_score() const;

  void merge(const PressSums& other);
  std::vector<std::byte> serialize() const;
  static PressSums deserialize(std::span<const std::byte> bytes);
};

/// Rows with a leverage above this are named to the user, the largest ones first: nine tenths of what the fit
/// says there is the row's own target.
inline constexpr double near_one_leverage = 0.9;
inline constexpr std::size_t most_influential_rows = 10;

/// Per-row results of a PRESS pass, for those who want them; empty spans are not written.
struct PressRows {
  std::span<double> loo_residuals = {};    ///< Of the working target.
  std::span<double> leverages = {};        ///< Of the working rows: weight times leverage.
  std::span<double> left_out_losses = {};  ///< Of a row that counts once; 0 where a row does not count.
};

}  // namespace kore
