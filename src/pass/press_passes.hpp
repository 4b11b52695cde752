#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "kore/smoother.hpp"

namespace kore {

/// A fit that is here, or that came as bytes and is made again when the first rows come: whoever only merges
/// sums does without it.
class LentFit {
 public:
  explicit LentFit(const Smoother& here);
  static LentFit read(ByteReader& task);
  void write(ByteWriter& out) const;

  const Smoother& fit(int threads);
  bool came_as_bytes() const { return here_ == nullptr; }
  std::size_t features() const { return features_; }
  std::size_t columns() const { return columns_; }

 private:
  LentFit() = default;

  const Smoother* here_ = nullptr;
  std::vector<std::byte> bytes_;
  std::optional<Smoother> made_;
  std::size_t features_ = 0;
  std::size_t columns_ = 0;
};

/// Residuals and leverages of one or several fits to the same rows, added up.
class PressPass final : public Pass {
 public:
  /// The fits have to outlive the pass.
  explicit PressPass(std::span<const Smoother* const> fits);
  static std::unique_ptr<Pass> read(ByteReader& task);

  const std::vector<PressSums>& sums() const { return sums_; }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  explicit PressPass(std::vector<LentFit> fits);

  std::vector<LentFit> fits_;
  std::vector<PressSums> sums_;
};

/// Residuals that are kept of the longest table: a few megabytes.
inline constexpr std::size_t most_residuals = std::size_t{1} << 20;

struct WeightedResidual {
  double residual = 0;
  double weight = 0;
};

/// Leave-one-out residuals of every `step`-th row.
///
/// Elsewhere nobody knows how many rows come before the first: the rows' contents then decide where counting
/// starts, so that parts shorter than a step give their share too. With a step of one, parts make the whole.
class ResidualSamplePass final : public Pass {
 public:
  /// The fit has to outlive the pass.
  ResidualSamplePass(const Smoother& fit, std::size_t step);
  static std::unique_ptr<Pass> read(ByteReader& task);

  std::vector<WeightedResidual> take() && { return std::move(kept_); }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  ResidualSamplePass(LentFit fit, std::size_t step);

  LentFit fit_;
  std::size_t step_;
  std::size_t until_next_ = 0;
  bool started_ = false;
  std::vector<WeightedResidual> kept_;
};

}  // namespace kore
