#include "stats/row_sample.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/bytes.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

constexpr std::uint32_t format_version = 1;

/// Stirs a number into a hash so that every bit of both matters (the finaliser of a 64-bit mixer).
std::uint64_t stir(std::uint64_t hash, double value) {
  std::uint64_t mixed = hash ^ (std::bit_cast<std::uint64_t>(value) + 0x9e3779b97f4a7c15ULL + (hash << 6U));
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31U);
}

}  // namespace

RowSample::RowSample(std::size_t columns, std::size_t capacity) : columns_(columns), capacity_(capacity) {}

void RowSample::add(const RowBlock& block) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double weight = block.weight(r);
    if (!(weight > 0)) continue;
    std::uint64_t hash = stir(0, block.y[r]);
    for (std::size_t j = 0; j < columns_; ++j) hash = stir(hash, block.x(r, j));
    const std::uint64_t place = seen_++;
    if (hash > threshold_) continue;
    Entry entry{hash, place, {}};
    entry.contents.reserve(columns_ + 2);
    for (std::size_t j = 0; j < columns_; ++j) entry.contents.push_back(block.x(r, j));
    entry.contents.push_back(block.y[r]);
    entry.contents.push_back(weight);
    add_entry(std::move(entry));
  }
}

void RowSample::add_entry(Entry entry) {
  entries_.push_back(std::move(entry));
  if (entries_.size() >= 2 * capacity_ && entries_.size() > capacity_) shrink();
}

// Rows of equal hash are told apart by their contents, weights among them; of equal rows it does not matter
// which of them stay.
void RowSample::shrink() {
  if (entries_.size() <= capacity_) return;
  const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(capacity_);
  std::nth_element(entries_.begin(), last - 1, entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.hash, a.contents, a.place) < std::tie(b.hash, b.contents, b.place);
  });
  threshold_ = (last - 1)->hash;
  entries_.erase(last, entries_.end());
}

void RowSample::merge(const RowSample& other) {
  for (Entry entry : other.entries_) {
    entry.place += seen_;
    if (entry.hash <= threshold_) add_entry(std::move(entry));
  }
  seen_ += other.seen_;
}

RowSample::Rows RowSample::take() && {
  shrink();
  std::ranges::sort(entries_, {}, &Entry::place);
  Rows rows;
  rows.x.resize(entries_.size() * columns_);
  bool weighted = false;
  for (std::size_t r = 0; r < entries_.size(); ++r) {
    const std::vector<double>& contents = entries_[r].contents;
    for (std::size_t j = 0; j < columns_; ++j) rows.x[j * entries_.size() + r] = contents[j];
    rows.y.push_back(contents[columns_]);
    rows.weights.push_back(contents[columns_ + 1]);
    weighted = weighted || rows.weights.back() != 1;
  }
  if (!weighted) rows.weights.clear();
  return rows;
}

std::vector<std::byte> RowSample::serialize() const {
  ByteWriter out;
  for (const std::uint64_t value : {std::uint64_t{columns_}, std::uint64_t{capacity_}, seen_, threshold_})
    out.u64(value);
  out.u64(entries_.size());
  for (const Entry& entry : entries_) {
    out.u64(entry.hash);
    out.u64(entry.place);
    out.f64s(entry.contents);
  }
  return seal("KSMP", format_version, out.bytes());
}

RowSample RowSample::deserialize(std::span<const std::byte> bytes) {
  ByteReader in(open_sealed(bytes, "KSMP", format_version, "row sample").content);
  const std::uint64_t columns = in.u64();
  RowSample sample(columns, in.u64());
  sample.seen_ = in.u64();
  sample.threshold_ = in.u64();
  sample.entries_.resize(in.count(24));
  for (Entry& entry : sample.entries_) {
    entry.hash = in.u64();
    entry.place = in.u64();
    entry.contents = in.f64s();
    if (entry.contents.size() != columns + 2)
      throw Error(ErrorCode::corrupt_file, "The KORE row sample holds a row of the wrong length.");
  }
  return sample;
}

}  // namespace kore
