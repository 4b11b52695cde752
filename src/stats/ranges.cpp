#include <algorithm>
#include <cmath>
#include <limits>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/statistics.hpp"

namespace kore {
namespace {

constexpr std::uint32_t format_version = 2;
constexpr double largest_value = 1e300;
constexpr Range nothing_seen{std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};

bool usable(double value) {
  return std::abs(value) <= largest_value;  // false for NaN as well
}

void widen(Range& range, double value) {
  range.lowest = std::min(range.lowest, value);
  range.highest = std::max(range.highest, value);
}

/// Returns the first row whose value cannot be used, or the number of rows.
std::size_t widen(Range& range, const RowBlock& block, std::size_t column) {
  const ColumnView& values = block.x.column(column);
  Range seen = range;
  for (std::size_t r = 0; r < block.rows(); ++r) {
    if (!usable(values[r])) return r;
    if (block.weight(r) > 0) widen(seen, values[r]);
  }
  range = seen;
  return block.rows();
}

}  // namespace

RangeAccumulator::RangeAccumulator(std::size_t columns, std::vector<std::string> names)
    : names_(std::move(names)), ranges_(columns, nothing_seen), target_(nothing_seen) {}

void RangeAccumulator::refuse(const std::string& place, std::size_t row, double value) const {
  const std::vector<Argument> where{{"place", place}, {"row", rows_ + row}};
  if (std::isnan(value))
    throw Error(
        ErrorCode::invalid_data, "value_missing",
        "In {place}, row {row} (counted from 0): the value is missing (NaN). Impute it or drop the row.",
        where);
  if (std::isinf(value))
    throw Error(
        ErrorCode::invalid_data, "value_infinite",
        "In {place}, row {row} (counted from 0): the value is infinite. Only finite numbers can be used.",
        where);
  throw Error(
      ErrorCode::invalid_data, "value_too_large",
      "In {place}, row {row} (counted from 0): the value is larger than 1e300 in magnitude. Rescale the "
      "column.",
      where);
}

void RangeAccumulator::add(const RowBlock& block, int threads) {
  if (block.x.columns() != ranges_.size())
    throw Error(ErrorCode::invalid_data, "block_of_other_columns",
                "A block of rows has {given} columns, but {expected} were expected.",
                {{"given", block.x.columns()}, {"expected", ranges_.size()}});
  add_target(block);
  add_groups(block);
  constexpr std::size_t worth_threads = 200'000;  // values
  const std::size_t columns = ranges_.size();
  std::vector<std::size_t> first_bad(columns);
  parallel_for(columns, block.rows() * columns < worth_threads ? 1 : threads,
               [&](std::size_t j) { first_bad[j] = widen(ranges_[j], block, j); });
  for (std::size_t j = 0; j < columns; ++j) {
    if (first_bad[j] == block.rows()) continue;
    const bool named = j < names_.size() && !names_[j].empty();
    refuse(named ? "the column '" + names_[j] + "'" : "column " + std::to_string(j), first_bad[j],
           block.x(first_bad[j], j));
  }
  rows_ += block.rows();
}

void RangeAccumulator::add_target(const RowBlock& block) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double w = block.weight(r);
    if (!usable(w)) refuse("the weights", r, w);
    if (w < 0)
      throw Error(
          ErrorCode::invalid_data, "negative_weight",
          "In the weights, row {row} (counted from 0): the weight is negative. Weights must be zero or "
          "positive.",
          {{"row", rows_ + r}});
    if (!usable(block.y[r])) refuse("the target", r, block.y[r]);
    if (w == 0) continue;
    ++weighted_rows_;
    widen(target_, block.y[r]);
    weight_ += w;
    const double deviation = block.y[r] - target_mean_;
    target_mean_ += deviation * (w / weight_);
    target_squares_ += w * deviation * (block.y[r] - target_mean_);
  }
}

void RangeAccumulator::add_groups(const RowBlock& block) {
  for (std::size_t r = 0; r < block.groups.size(); ++r)
    if (!usable(block.groups[r])) refuse("the groups", r, block.groups[r]);
  grouped_rows_ += block.groups.size();
}

void RangeAccumulator::merge(const RangeAccumulator& other) {
  if (other.ranges_.size() != ranges_.size())
    throw Error(ErrorCode::invalid_argument, "ranges_of_other_columns",
                "Only range accumulators of the same number of columns can be merged.");
  const auto unite = [](Range& mine, const Range& theirs) {
    mine.lowest = std::min(mine.lowest, theirs.lowest);
    mine.highest = std::max(mine.highest, theirs.highest);
  };
  for (std::size_t j = 0; j < ranges_.size(); ++j) unite(ranges_[j], other.ranges_[j]);
  unite(target_, other.target_);
  rows_ += other.rows_;
  weighted_rows_ += other.weighted_rows_;
  grouped_rows_ += other.grouped_rows_;
  const double both = weight_ + other.weight_;
  if (!(both > 0)) return;
  const double gap = other.target_mean_ - target_mean_;
  target_squares_ += other.target_squares_ + gap * gap * (weight_ * other.weight_ / both);
  target_mean_ += gap * (other.weight_ / both);
  weight_ = both;
}

const std::vector<Range>& RangeAccumulator::ranges() const {
  if (rows_ == 0) throw Error(ErrorCode::too_few_rows, "no_rows", "The data have no rows.");
  if (weight_ <= 0)
    throw Error(ErrorCode::invalid_data, "no_weight", "All weights are zero: there is nothing to fit.");
  return ranges_;
}

std::vector<std::byte> RangeAccumulator::serialize() const {
  ByteWriter out;
  for (const std::size_t count : {rows_, weighted_rows_, grouped_rows_}) out.u64(count);
  for (const double value : {weight_, target_mean_, target_squares_, target_.lowest, target_.highest})
    out.f64(value);
  out.u64(ranges_.size());
  for (std::size_t j = 0; j < ranges_.size(); ++j) {
    out.f64(ranges_[j].lowest);
    out.f64(ranges_[j].highest);
    out.text(j < names_.size() ? names_[j] : "");
  }
  return seal("KRNG", format_version, out.bytes());
}

namespace {

void check_counts(const RangeAccumulator& ranges, double target_squares) {
  const bool counted = ranges.weighted_rows() <= ranges.rows() && ranges.grouped_rows() <= ranges.rows();
  const bool weighed = ranges.weight_sum() >= 0 && std::isfinite(ranges.weight_sum()) &&
                       std::isfinite(ranges.target_mean()) && target_squares >= 0;
  if (!counted || !weighed)
    throw Error(ErrorCode::corrupt_file, "damaged_ranges",
                "The KORE range accumulator is damaged: its counts of rows and its weights cannot be.");
}

}  // namespace

RangeAccumulator RangeAccumulator::deserialize(std::span<const std::byte> bytes) {
  ByteReader in(open_sealed(bytes, "KRNG", format_version, "range accumulator").content);
  RangeAccumulator ranges(0);
  for (std::size_t* count : {&ranges.rows_, &ranges.weighted_rows_, &ranges.grouped_rows_}) *count = in.u64();
  for (double* value : {&ranges.weight_, &ranges.target_mean_, &ranges.target_squares_,
                        &ranges.target_.lowest, &ranges.target_.highest})
    *value = in.f64();
  check_counts(ranges, ranges.target_squares_);
  const std::size_t columns = in.count(3 * sizeof(double));
  for (std::size_t j = 0; j < columns; ++j) {
    const double lowest = in.f64();
    const double highest = in.f64();
    // Both are infinite, the other way round, where no row counted.
    if (std::isnan(lowest) || std::isnan(highest) || (lowest > highest && ranges.weighted_rows_ > 0))
      throw Error(ErrorCode::corrupt_file, "damaged_ranges",
                  "The KORE range accumulator is damaged: its range of column {column} cannot be.",
                  {{"column", j}});
    ranges.ranges_.push_back({lowest, highest});
    ranges.names_.push_back(in.text());
  }
  return ranges;
}

}  // namespace kore
