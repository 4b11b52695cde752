#pragma once

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
};

}  // namespace kore
