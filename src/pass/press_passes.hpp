#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// A fit of this process, or one that was received as bytes. The latter is read when the first rows are
/// added, because a process that only merges sums does not need it.
class FitOrBytes {
 public:
  explicit FitOrBytes(const Smoother& here);
  static FitOrBytes read(ByteReader& task);
  void write(ByteWriter& out) const;

  const Smoother& fit(int threads);
  bool came_as_bytes() const { return here_ == nullptr; }
  std::size_t features() const { return features_; }
  std::size_t columns() const { return columns_; }

 private:
  FitOrBytes() = default;

  const Smoother* here_ = nullptr;
  std::vector<std::byte> bytes_;
  std::optional<Smoother> made_;
  std::size_t features_ = 0;
  std::size_t columns_ = 0;
};

/// A leave-one-out residual and the weight of its row.
struct WeightedResidual {
  double residual = 0;
  double weight = 0;
};

/// A row whose leverage is near one, with its features.
struct HighLeverage {
  std::uint64_t row = 0;  ///< Counted from 0 over all rows that were read.
  double leverage = 0;
  std::vector<double> x;
};

/// The rows with the largest leverages above `near_one_leverage`, at most `most_influential_rows`, and how
/// many there are. Parts are merged in the order of the rows, so that row numbers are those of the whole.
class HighLeverages {
 public:
  void add(const RowBlock& block, std::span<const double> leverages);
  void merge(const HighLeverages& after);
  void write(ByteWriter& out) const;
  void read(ByteReader& in, std::size_t features);

  std::uint64_t count() const { return count_; }
  /// By falling leverage; of equal ones the first.
  const std::vector<HighLeverage>& rows() const { return rows_; }

 private:
  void keep(HighLeverage row);

  std::uint64_t seen_ = 0;
  std::uint64_t count_ = 0;
  std::vector<HighLeverage> rows_;
};

/// A residual is kept for every `step`-th row, so that those of the longest table take a few megabytes.
std::size_t residual_step(std::size_t rows);

/// Residuals and leverages of one or several fits to the same rows, added up; where `step` is not zero, also
/// the leave-one-out residuals of every `step`-th row, so that they cost no pass of their own.
///
/// A process that has a part of the rows does not know how many rows come before its first. It then starts
/// counting at a position that depends on the contents of the first row, so that parts shorter than a step
/// contribute their share on average. With a step of one, all residuals of all parts are kept.
class PressPass final : public Pass {
 public:
  /// The fits have to outlive the pass.
  explicit PressPass(std::span<const Smoother* const> fits, std::size_t step = 0);
  static std::unique_ptr<Pass> read(ByteReader& task);

  /// One for each fit.
  const std::vector<PressSums>& sums() const { return sums_; }
  /// One list for each fit; all empty where no residuals are kept.
  std::vector<std::vector<WeightedResidual>>& residuals() { return residuals_; }
  /// One for each fit: rows that nearly decide their own prediction.
  const std::vector<HighLeverages>& high_leverages() const { return high_; }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  PressPass(std::vector<FitOrBytes> fits, std::size_t step);
  void keep_residuals(std::size_t fit, const RowBlock& block, std::span<const double> residuals);

  std::vector<FitOrBytes> fits_;
  std::size_t step_;
  std::size_t until_next_ = 0;
  bool started_ = false;
  std::vector<PressSums> sums_;
  std::vector<std::vector<WeightedResidual>> residuals_;
  std::vector<HighLeverages> high_;
};

}  // namespace kore
