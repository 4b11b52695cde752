#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "kore/rows.hpp"

namespace kore {

/// A sample of at most `capacity` rows that depends on the rows alone and not on their order: the rows with
/// the smallest hashes. A hash is made of the contents of a row and of the number of equal rows before it. Up
/// to `capacity` rows are all kept. Like every accumulator, two samples merge into that of all their rows;
/// the sample keeps the order in which rows were added.
///
/// Copies of a row must be counted from the first one on. So the different rows with the smallest hashes are
/// kept, twice as many as the capacity. In a table with more different rows than that, copies of a row come
/// into the sample together a little more often than at random.
class RowSample {
 public:
  RowSample(std::size_t columns, std::size_t capacity);

  /// Rows of weight zero do not count.
  void add(const RowBlock& block, int threads = 1);
  void merge(const RowSample& other);
  std::vector<std::byte> serialize() const;
  static RowSample deserialize(std::span<const std::byte> bytes);

  std::size_t columns() const { return columns_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t rows() const { return static_cast<std::size_t>(std::min<std::uint64_t>(seen_, capacity_)); }
  /// No row was left out.
  bool complete() const { return seen_ <= capacity_; }
  std::uint64_t seen() const { return seen_; }

  /// The sampled rows as arrays of their own.
  struct Rows {
    std::vector<double> x;  ///< Column by column.
    std::vector<double> y;
    std::vector<double> weights;  ///< Empty where every row weighs one.
    std::vector<double> groups;   ///< Empty where rows have none.
  };
  Rows take() &&;

 private:
  using Contents = std::vector<double>;  // features, target, weight, and a group where rows have one
  using Key = std::pair<std::uint64_t, Contents>;
  struct Copies {
    std::uint64_t count = 0;
    // Among all rows seen: that of the first copy, and of others as far as they belong to a complete sample.
    std::vector<std::uint64_t> places;
  };
  struct Drawn {
    std::uint64_t hash = 0;
    std::uint64_t place = 0;
    const Contents* contents = nullptr;
  };
  void add_row(const RowBlock& block, std::size_t row, std::uint64_t hash);
  void lower_threshold(std::vector<std::uint64_t> hashes);
  void add_place(Copies& copies, std::uint64_t place) const;
  void shrink();
  std::vector<Drawn> draw() const;
  /// Refuses bytes that cannot be a row of this sample.
  void check_row(const Key& key, const Copies& copies) const;

  std::size_t columns_;
  std::size_t capacity_;
  std::uint64_t seen_ = 0;
  std::uint64_t threshold_ = ~std::uint64_t{0};  // contents with a hash above it cannot belong any more
  std::map<Key, Copies> copies_;
};

}  // namespace kore
