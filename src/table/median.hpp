#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"

namespace kore::table {

/// Numbers that are kept while they are few, and of more every second one, every fourth, and so on: always
/// between half of `capacity` and `capacity` of them.
class ThinnedValues {
 public:
  explicit ThinnedValues(std::size_t capacity) : capacity_(capacity) {}

  void add(double value) {
    if ((seen_++ & (stride_ - 1)) != 0) return;
    values_.push_back(value);
    if (values_.size() > capacity_) thin();
  }
  void merge(const ThinnedValues& other);

  bool has_all() const { return stride_ == 1; }
  std::uint64_t seen() const { return seen_; }
  std::size_t capacity() const { return capacity_; }
  std::vector<double> take() && { return std::move(values_); }

  void write(ByteWriter& out) const;
  /// Throws `corrupt_file` for more values than the capacity.
  static ThinnedValues read(ByteReader& in, std::size_t capacity);

 private:
  void thin();

  std::size_t capacity_;
  std::uint64_t stride_ = 1;  // a power of two
  std::uint64_t seen_ = 0;
  std::vector<double> values_;
};

/// Finds the exact median of numbers that are too many to keep, in few passes over them. A pass counts the
/// numbers on either side of a bracket and keeps those inside; where they are too many, a part of them, from
/// which the bracket of the next pass follows. Two passes find the median of some millions of numbers. Others
/// that were asked about the same numbers in another order, or in parts, find the same.
class MedianSelector {
 public:
  /// How many numbers a pass may keep, unless the number of columns leaves room for fewer.
  static constexpr std::size_t usual_capacity = std::size_t{1} << 16U;

  /// The first pass looks at everything.
  explicit MedianSelector(std::size_t capacity = usual_capacity) : inside_(capacity) {}
  /// The first pass looks where the median of `count` numbers may be, and expects this share of them there;
  /// a wrong guess costs another pass.
  MedianSelector(std::uint64_t count, double low, double high, double share_inside);

  /// Values that are not a number are missing.
  void add(std::span<const double> values);
  void add(double value) { add(std::span(&value, 1)); }
  /// After each pass over all the numbers. Throws `invalid_data` where passes have not seen the same.
  void end_pass();
  /// After a pass.
  bool found() const { return median_.has_value(); }
  double median() const { return *median_; }

  /// Where to look in this pass, for processes that look at other numbers.
  void write_place(ByteWriter& out) const;
  static MedianSelector read_place(ByteReader& in);
  /// What this pass has found, as bytes, and adding that of another process.
  void write_found(ByteWriter& out) const;
  void merge_found(ByteReader& in);
  /// Bytes that the findings of a pass take at most.
  std::size_t most_bytes() const { return inside_.capacity() * sizeof(double) + 100; }
  /// The capacities of the next pass of several searches. Those who can end with it get more room.
  static void share_room(std::span<MedianSelector* const> searches);

 private:
  struct Bracket {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };
  /// What a pass has counted.
  struct Counts {
    std::uint64_t all = 0;
    std::uint64_t below = 0;
    std::uint64_t at_low = 0;
    std::uint64_t at_high = 0;
    double smallest_inside = std::numeric_limits<double>::infinity();
    double largest_inside = -std::numeric_limits<double>::infinity();
    // Next to the bracket, because the two numbers in the middle may lie on either side of its end:
    double largest_below = -std::numeric_limits<double>::infinity();
    double smallest_above = std::numeric_limits<double>::infinity();
  };

  /// The number of a rank, counted from zero, among sorted `values` of those inside; nothing where it is
  /// not known yet.
  std::optional<double> at_rank(std::uint64_t rank, std::span<const double> values) const;
  void narrow(std::uint64_t lower, std::uint64_t upper, std::span<const double> values);

  std::uint64_t count_ = 0;  // 0: not known yet
  Bracket bracket_;
  Bracket outer_;  // the median is here for certain
  Counts counts_;
  ThinnedValues inside_;  // the bracket, without its ends
  double margin_ = 4.5;   // standard errors of a rank between the median and the ends of the next bracket
  double expected_inside_ = 0;  // in the next pass
  std::optional<double> median_;
};

}  // namespace kore::table
