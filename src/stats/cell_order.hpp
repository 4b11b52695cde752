#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "stats/kernels.hpp"

namespace kore {

/// The rows of an interaction sorted by the cell they fall into. Rows of one cell touch the same functions,
/// so that their products with another term add up in a buffer of a few kilobytes before they reach a matrix
/// of megabytes.
class CellOrder {
 public:
  /// Consecutive rows of the order that share a cell, and the first function that is not zero there.
  struct Bucket {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t function = 0;
  };

  CellOrder(const TermRows& term, std::size_t width, std::size_t capacity);

  /// Sorts the first `rows` rows of the term, and multiplies their products by `weights` unless it is null.
  /// Rows of one cell keep their order.
  void sort(const TermRows& term, const double* weights, std::size_t rows);

  std::span<const Bucket> buckets() const { return buckets_; }
  /// Products of the term's local functions, `lanes()` to a row, in the sorted order.
  const double* values() const { return values_.data(); }
  /// The original number of each row in the sorted order.
  const std::int32_t* rows() const { return rows_.data(); }
  std::size_t lanes() const { return lanes_; }

 private:
  std::size_t lanes_;
  AlignedBuffer values_;
  std::vector<std::int32_t> rows_;
  std::vector<std::size_t> starts_;  // per function: where its bucket begins
  std::vector<Bucket> buckets_;
};

}  // namespace kore
