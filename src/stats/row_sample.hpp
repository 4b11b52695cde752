#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kore/rows.hpp"

namespace kore {

/// A sample of rows that depends on the rows alone, not on how they arrive: those whose contents have the
/// smallest hashes. All of them while they fit. Like every accumulator, two of them merge into that of all
/// their rows; the sample keeps the order in which the rows were added.
class RowSample {
 public:
  RowSample(std::size_t columns, std::size_t capacity);

  /// Rows of weight zero are not there.
  void add(const RowBlock& block);
  void merge(const RowSample& other);
  std::vector<std::byte> serialize() const;
  static RowSample deserialize(std::span<const std::byte> bytes);

  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return std::min(entries_.size(), capacity_); }
  /// No row was left out.
  bool complete() const { return seen_ <= capacity_; }
  std::uint64_t seen() const { return seen_; }

  /// The sampled rows as arrays of their own.
  struct Rows {
    std::vector<double> x;  ///< Column by column.
    std::vector<double> y;
    std::vector<double> weights;  ///< Empty where every row weighs one.
  };
  Rows take() &&;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t place = 0;       // among all rows seen
    std::vector<double> contents;  // features, target, weight
  };
  void add_entry(Entry entry);
  void shrink();

  std::size_t columns_;
  std::size_t capacity_;
  std::uint64_t seen_ = 0;
  std::uint64_t threshold_ = ~std::uint64_t{0};  // hashes above it cannot belong any more
  std::vector<Entry> entries_;
};

}  // namespace kore
