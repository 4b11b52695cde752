#include "table/median.hpp"

#include <algorithm>
#include <cmath>

#include "kore/error.hpp"

namespace kore::table {
namespace {

constexpr std::size_t most_capacity = std::size_t{1} << 24U;
/// Numbers that all searches keep together at most, and one alone.
constexpr std::size_t kept_by_all = std::size_t{1} << 23U;
constexpr std::size_t kept_by_one = std::size_t{1} << 19U;
constexpr std::size_t fewest = 1024;  // with fewer numbers brackets would hardly shrink

[[noreturn]] void damaged() {
  throw Error(ErrorCode::corrupt_file, "median_counts_damaged",
              "The KORE search for a median counts numbers that do not exist.");
}

/// Halving the distance instead of the sum cannot overflow for numbers of the same sign, and keeps equal
/// values exact. The sign of a zero depends on which of several was found.
double middle_of(double lower, double upper) {
  return (lower == upper ? lower : lower + (upper - lower) / 2) + 0.0;
}

}  // namespace

void ThinnedValues::thin() {
  while (values_.size() > capacity_) {
    stride_ *= 2;
    for (std::size_t i = 1; 2 * i < values_.size(); ++i) values_[i] = values_[2 * i];
    values_.resize((values_.size() + 1) / 2);
  }
}

void ThinnedValues::merge(const ThinnedValues& other) {
  // Both are thinned as much as the more thinned one.
  const std::uint64_t stride = std::max(stride_, other.stride_);
  const auto thinned = [stride](const ThinnedValues& from) {
    std::vector<double> values;
    for (std::size_t i = 0; i < from.values_.size(); i += static_cast<std::size_t>(stride / from.stride_))
      values.push_back(from.values_[i]);
    return values;
  };
  std::vector<double> values = thinned(*this);
  const std::vector<double> more = thinned(other);
  values.insert(values.end(), more.begin(), more.end());
  values_ = std::move(values);
  stride_ = stride;
  seen_ += other.seen_;
  thin();
}

void ThinnedValues::write(ByteWriter& out) const {
  out.u64(stride_);
  out.u64(seen_);
  out.f64s(values_);
}

ThinnedValues ThinnedValues::read(ByteReader& in, std::size_t capacity) {
  ThinnedValues read(capacity);
  read.stride_ = in.u64();
  read.seen_ = in.u64();
  read.values_ = in.f64s();
  const bool power_of_two = read.stride_ > 0 && (read.stride_ & (read.stride_ - 1)) == 0;
  if (!power_of_two || read.values_.size() > capacity || read.values_.size() > read.seen_ ||
      (read.stride_ == 1 && read.values_.size() != read.seen_))
    damaged();
  return read;
}

MedianSelector::MedianSelector(std::uint64_t count, double low, double high, double share_inside)
    : count_(count),
      bracket_{low, high},
      inside_(usual_capacity),
      expected_inside_(share_inside * static_cast<double>(count)) {}

void MedianSelector::add(std::span<const double> values) {
  const auto [low, high] = bracket_;
  std::uint64_t all = 0;
  std::uint64_t below = 0;
  double largest_below = counts_.largest_below;
  double smallest_above = counts_.smallest_above;
  // Nearly all numbers lie outside of the bracket: these are counted without a branch.
  for (const double value : values) {
    all += static_cast<std::uint64_t>(value == value);
    below += static_cast<std::uint64_t>(value < low);
    largest_below = value < low && value > largest_below ? value : largest_below;
    smallest_above = value > high && value < smallest_above ? value : smallest_above;
    if (!(value >= low && value <= high)) continue;
    if (value == low) {
      ++counts_.at_low;
    } else if (value == high) {
      ++counts_.at_high;
    } else {
      counts_.smallest_inside = std::min(counts_.smallest_inside, value);
      counts_.largest_inside = std::max(counts_.largest_inside, value);
      inside_.add(value);
    }
  }
  counts_.all += all;
  counts_.below += below;
  counts_.largest_below = largest_below;
  counts_.smallest_above = smallest_above;
}

std::optional<double> MedianSelector::at_rank(std::uint64_t rank, std::span<const double> values) const {
  if (rank < counts_.below)
    return rank + 1 == counts_.below ? std::optional(counts_.largest_below) : std::nullopt;
  rank -= counts_.below;
  if (rank < counts_.at_low) return bracket_.low;
  rank -= counts_.at_low;
  if (rank < inside_.seen()) {
    if (inside_.has_all()) return values[static_cast<std::size_t>(rank)];
    if (rank == 0) return counts_.smallest_inside;
    if (rank + 1 == inside_.seen()) return counts_.largest_inside;
    return std::nullopt;
  }
  rank -= inside_.seen();
  if (rank < counts_.at_high) return bracket_.high;
  return rank == counts_.at_high ? std::optional(counts_.smallest_above) : std::nullopt;
}

void MedianSelector::end_pass() {
  if (count_ != 0 && counts_.all != count_)
    throw Error(ErrorCode::invalid_data, "table_changed_between_medians",
                "A column had {before} values when it was read first and {later} later: it has changed.",
                {{"before", count_}, {"later", counts_.all}});
  count_ = counts_.all;
  if (count_ == 0) return;
  const std::uint64_t lower = (count_ - 1) / 2;
  const std::uint64_t upper = count_ / 2;
  ThinnedValues kept = inside_;
  std::vector<double> values = std::move(kept).take();
  std::ranges::sort(values);
  const std::optional<double> one = at_rank(lower, values);
  const std::optional<double> other = at_rank(upper, values);
  if (one && other)
    median_ = middle_of(*one, *other);
  else
    narrow(lower, upper, values);
  counts_ = {};
  inside_ = ThinnedValues(inside_.capacity());
}

/// The bracket of the next pass: what was missed, or the surroundings of the rank inside.
void MedianSelector::narrow(std::uint64_t lower, std::uint64_t upper, std::span<const double> values) {
  const std::uint64_t first_inside = counts_.below + counts_.at_low;
  const std::uint64_t behind = first_inside + inside_.seen() + counts_.at_high;
  if (lower < counts_.below || upper >= behind) {
    // One of the two ranks may be inside, or one on either side.
    const Bracket missed = bracket_;
    bracket_ = outer_;
    if (upper < counts_.below) bracket_.high = missed.low;
    if (lower >= behind) bracket_.low = missed.high;
    outer_ = bracket_;
    margin_ *= 2;
    expected_inside_ = static_cast<double>(count_);
    return;
  }
  outer_ = bracket_;
  const auto seen = static_cast<double>(inside_.seen());
  const auto size = static_cast<double>(values.size());
  const double place = static_cast<double>(std::max(lower, first_inside) - first_inside) / seen * size;
  const double away = margin_ * std::sqrt(size) / 2 + 1;
  const double low = place - away;
  const double high = place + away + 1;
  bracket_ = {low < 0 ? counts_.smallest_inside : values[static_cast<std::size_t>(low)],
              high >= size ? counts_.largest_inside : values[static_cast<std::size_t>(high)]};
  if (lower < first_inside) bracket_.low = outer_.low;  // one of both ranks is at an end
  if (upper >= first_inside + inside_.seen()) bracket_.high = outer_.high;
  expected_inside_ = (std::min(high, size) - std::max(low, 0.0)) / size * seen;
}

void MedianSelector::share_room(std::span<MedianSelector* const> searches) {
  constexpr double spare = 1.25;  // of what is expected
  if (searches.empty()) return;
  const std::size_t room = std::min(kept_by_one, kept_by_all / searches.size());
  for (MedianSelector* search : searches) {
    const bool ends = spare * search->expected_inside_ <= static_cast<double>(room);
    search->inside_ = ThinnedValues(ends ? std::max(room, fewest) : std::clamp(room, fewest, usual_capacity));
  }
}

void MedianSelector::write_place(ByteWriter& out) const {
  out.u64(inside_.capacity());
  out.f64(bracket_.low);
  out.f64(bracket_.high);
}

MedianSelector MedianSelector::read_place(ByteReader& in) {
  const std::uint64_t capacity = in.u64();
  if (capacity == 0 || capacity > most_capacity) damaged();
  MedianSelector selector(static_cast<std::size_t>(capacity));
  selector.bracket_.low = in.f64();
  selector.bracket_.high = in.f64();
  if (!(selector.bracket_.low <= selector.bracket_.high)) damaged();
  return selector;
}

void MedianSelector::write_found(ByteWriter& out) const {
  for (const std::uint64_t count : {counts_.all, counts_.below, counts_.at_low, counts_.at_high})
    out.u64(count);
  out.f64(counts_.smallest_inside);
  out.f64(counts_.largest_inside);
  out.f64(counts_.largest_below);
  out.f64(counts_.smallest_above);
  inside_.write(out);
}

void MedianSelector::merge_found(ByteReader& in) {
  counts_.all += in.u64();
  counts_.below += in.u64();
  counts_.at_low += in.u64();
  counts_.at_high += in.u64();
  counts_.smallest_inside = std::min(counts_.smallest_inside, in.f64());
  counts_.largest_inside = std::max(counts_.largest_inside, in.f64());
  counts_.largest_below = std::max(counts_.largest_below, in.f64());
  counts_.smallest_above = std::min(counts_.smallest_above, in.f64());
  inside_.merge(ThinnedValues::read(in, inside_.capacity()));
}

}  // namespace kore::table
