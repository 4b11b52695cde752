#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "kore/statistics.hpp"
#include "stats/row_sample.hpp"

// Passes over plain rows, before there is a design.

namespace kore {

/// Ranges of features and target, and weights. Throws for values that no later pass could use. Where
/// `sample_rows` is not zero, also draws a sample of at most so many rows, which decides on the structure.
class SurveyPass final : public Pass {
 public:
  SurveyPass(std::size_t columns, std::vector<std::string> names, std::size_t sample_rows = 0);
  static std::unique_ptr<Pass> read(ByteReader& task);

  const RangeAccumulator& ranges() const { return ranges_; }
  std::optional<RowSample>& sample() { return sample_; }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  std::size_t columns_;
  std::vector<std::string> names_;
  RangeAccumulator ranges_;
  std::optional<RowSample> sample_;
};

/// Which of several pairs of features have the same value in every row.
class EqualFeaturesPass final : public Pass {
 public:
  using Pair = std::pair<std::size_t, std::size_t>;

  /// `columns` is the number of features; pairs are positions of them.
  EqualFeaturesPass(std::size_t columns, std::vector<Pair> pairs);
  static std::unique_ptr<Pass> read(ByteReader& task);

  bool equal(std::size_t pair) const { return equal_[pair] != 0; }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  std::size_t columns_;
  std::vector<Pair> pairs_;
  std::vector<std::uint8_t> equal_;
};

}  // namespace kore
