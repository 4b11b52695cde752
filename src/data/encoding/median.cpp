#include "data/encoding/median.hpp"

#include <algorithm>
#include <bit>

namespace kore::data {
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

double MedianSelector::median() const {
  const double lower = lower_.value();
  const double upper = upper_.value();
  // Halving the distance instead of the sum cannot overflow for numbers of the same sign, and keeps equal
  // values exact.
  return lower == upper ? lower : lower + (upper - lower) / 2;
}

}  // namespace kore::data
