#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace kore::table {

/// Finds the value of a given rank among numbers that are too many to keep, in four passes over them with
/// fixed memory: each pass counts by the next 16 bits of the number and goes on in the bucket that holds the
/// rank. Exact.
class RankSelector {
 public:
  static constexpr int passes = 4;
  static constexpr int bits = 16;
  static constexpr std::size_t buckets = std::size_t{1} << bits;

  /// `rank` counts from zero in rising order.
  explicit RankSelector(std::uint64_t rank) : rank_(rank), counts_(buckets) {}

  void add(double value) {
    const std::uint64_t key = key_of(value);
    // In the first pass the prefix is empty and every number counts.
    if (pass_ == 0 || (key >> (64 - bits * pass_)) == prefix_) ++counts_[(key >> shift()) & (buckets - 1)];
  }
  /// Call after each pass over all the numbers.
  void end_pass();
  /// After the last pass.
  double value() const;

  /// The state of the search without the counts of this pass, for processes that count other rows.
  void write_place(ByteWriter& out) const;
  static RankSelector read_place(ByteReader& in);
  bool same_place(const RankSelector& other) const {
    return pass_ == other.pass_ && prefix_ == other.prefix_;
  }
  /// The counts of this pass as bytes, and adding those of another process.
  void write_counts(ByteWriter& out) const;
  void add_counts(ByteReader& in);

 private:
  int shift() const { return 64 - bits * (pass_ + 1); }
  static std::uint64_t key_of(double value);

  std::uint64_t rank_;
  std::vector<std::uint64_t> counts_;
  int pass_ = 0;
  std::uint64_t prefix_ = 0;
};

/// The middle value, or the mean of the two in the middle, of numbers that are read as often as needed.
class MedianSelector {
 public:
  static constexpr int passes = RankSelector::passes;

  /// `count` numbers, at least one, will be added in each pass.
  explicit MedianSelector(std::uint64_t count) : lower_((count - 1) / 2), upper_(count / 2) {}
  void add(double value) {
    lower_.add(value);
    upper_.add(value);
  }
  void end_pass() {
    lower_.end_pass();
    upper_.end_pass();
  }
  double median() const;

  /// As for one rank. As long as both ranks are in the same bucket, their counts are the same and are sent
  /// once.
  void write_place(ByteWriter& out) const;
  static MedianSelector read_place(ByteReader& in);
  void write_counts(ByteWriter& out) const;
  void add_counts(ByteReader& in);
  /// Bytes that counts take at most.
  static constexpr std::size_t most_count_bytes = 2 * (RankSelector::buckets * 12 + 8);

 private:
  MedianSelector(RankSelector lower, RankSelector upper)
      : lower_(std::move(lower)), upper_(std::move(upper)) {}

  RankSelector lower_;
  RankSelector upper_;
};

}  // namespace kore::table
