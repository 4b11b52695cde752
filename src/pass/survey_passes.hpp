#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"
#include "kore/statistics.hpp"
#include "stats/row_sample.hpp"

// Passes that look at rows as they are, before there is any design.

namespace kore {

/// Ranges, target and weights; refuses what no later pass could use.
class RangesPass final : public Pass {
 public:
  RangesPass(std::size_t columns, std::vector<std::string> names);
  static std::unique_ptr<Pass> read(ByteReader& task);

  const RangeAccumulator& sums() const { return sums_; }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  std::size_t columns_;
  std::vector<std::string> names_;
  RangeAccumulator sums_;
};

/// The rows that decide on a structure.
class RowSamplePass final : public Pass {
 public:
  RowSamplePass(std::size_t columns, std::size_t capacity);
  static std::unique_ptr<Pass> read(ByteReader& task);

  RowSample::Rows take() && { return std::move(sample_).take(); }

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override;
  void merge(std::span<const std::byte> result) override;
  std::vector<std::byte> task() const override;
  PassFacts facts() const override;

 private:
  std::size_t capacity_;
  RowSample sample_;
};

/// Which of several pairs of features have the same value in every row.
class EqualFeaturesPass final : public Pass {
 public:
  using Pair = std::pair<std::size_t, std::size_t>;

  /// Pairs are of features of rows with so many columns.
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
