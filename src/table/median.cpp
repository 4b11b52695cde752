#include "table/median.hpp"

#include <algorithm>
#include <bit>

#include "kore/error.hpp"

namespace kore::table {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

}  // namespace

/// The bits of a double, changed so that they sort as the numbers do: negative ones are stored as sign and
/// magnitude.
std::uint64_t RankSelector::key_of(double value) {
  const auto raw = std::bit_cast<std::uint64_t>(value);
  return (raw & sign_bit) != 0 ? ~raw : raw | sign_bit;
}

void RankSelector::end_pass() {
  std::size_t bucket = 0;
  while (bucket + 1 < buckets && rank_ >= counts_[bucket]) rank_ -= counts_[bucket++];
  prefix_ = (prefix_ << bits) | bucket;
  std::fill(counts_.begin(), counts_.end(), 0);
  ++pass_;
}

double RankSelector::value() const {
  return std::bit_cast<double>((prefix_ & sign_bit) != 0 ? prefix_ & ~sign_bit : ~prefix_);
}

void RankSelector::write_place(ByteWriter& out) const {
  out.u64(rank_);
  out.u8(static_cast<std::uint8_t>(pass_));
  out.u64(prefix_);
}

RankSelector RankSelector::read_place(ByteReader& in) {
  RankSelector selector(in.u64());
  selector.pass_ = in.u8();
  selector.prefix_ = in.u64();
  if (selector.pass_ >= passes)
    throw Error(ErrorCode::corrupt_file, "median_search_over",
                "The KORE search for a median is over already.");
  return selector;
}

/// Few buckets hold anything in most passes: those alone are written.
void RankSelector::write_counts(ByteWriter& out) const {
  out.u64(buckets - static_cast<std::size_t>(std::count(counts_.begin(), counts_.end(), 0)));
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    if (counts_[bucket] == 0) continue;
    out.u32(static_cast<std::uint32_t>(bucket));
    out.u64(counts_[bucket]);
  }
}

void RankSelector::add_counts(ByteReader& in) {
  const std::size_t filled = in.count(12);
  for (std::size_t i = 0; i < filled; ++i) {
    const std::uint32_t bucket = in.u32();
    if (bucket >= buckets)
      throw Error(ErrorCode::corrupt_file, "median_counts_damaged",
                  "The KORE search for a median counts numbers that do not exist.");
    counts_[bucket] += in.u64();
  }
}

void MedianSelector::write_place(ByteWriter& out) const {
  lower_.write_place(out);
  upper_.write_place(out);
}

MedianSelector MedianSelector::read_place(ByteReader& in) {
  RankSelector lower = RankSelector::read_place(in);
  return {std::move(lower), RankSelector::read_place(in)};
}

void MedianSelector::write_counts(ByteWriter& out) const {
  lower_.write_counts(out);
  if (!lower_.same_place(upper_)) upper_.write_counts(out);
}

void MedianSelector::add_counts(ByteReader& in) {
  const ByteReader again = in;
  lower_.add_counts(in);
  ByteReader other = lower_.same_place(upper_) ? again : in;
  upper_.add_counts(other);
  if (!lower_.same_place(upper_)) in = other;
}

double MedianSelector::median() const {
  const double lower = lower_.value();
  const double upper = upper_.value();
  // Halving the distance instead of the sum cannot overflow for numbers of the same sign, and keeps equal
  // values exact.
  return lower == upper ? lower : lower + (upper - lower) / 2;
}

}  // namespace kore::table
