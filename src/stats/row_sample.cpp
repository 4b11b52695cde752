#include "stats/row_sample.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "base/finite.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

constexpr std::uint32_t format_version = 2;

constexpr std::uint64_t no_row = ~std::uint64_t{0};  // of weight zero

/// Hashes column by column, so that the multiplications of several rows overlap in the processor.
void hash_rows(const RowBlock& block, std::size_t first, std::span<std::uint64_t> hashes) {
  for (std::size_t r = 0; r < hashes.size(); ++r) hashes[r] = mix_number(0, block.y[first + r]);
  for (std::size_t j = 0; j < block.x.columns(); ++j) {
    const ColumnView& column = block.x.column(j);
    for (std::size_t r = 0; r < hashes.size(); ++r) hashes[r] = mix_number(hashes[r], column[first + r]);
  }
  for (std::size_t r = 0; r < hashes.size(); ++r) {
    const double weight = block.weight(first + r);
    hashes[r] = weight > 0 ? mix_number(hashes[r], weight) : no_row;
  }
  if (block.groups.empty()) return;
  for (std::size_t r = 0; r < hashes.size(); ++r)
    if (hashes[r] != no_row) hashes[r] = mix_number(hashes[r], block.groups[first + r]);
}

/// The hash of one of several equal rows. The first copy has the hash of the contents.
std::uint64_t hash_of_copy(std::uint64_t contents, std::uint64_t before) {
  return before == 0 ? contents : mix_number(contents, static_cast<double>(before));
}

}  // namespace

RowSample::RowSample(std::size_t columns, std::size_t capacity) : columns_(columns), capacity_(capacity) {}

void RowSample::add(const RowBlock& block, int threads) {
  constexpr std::size_t batch = 65'536;
  constexpr std::size_t group = 1024;
  std::vector<std::uint64_t> hashes;
  for (std::size_t first = 0; first < block.rows(); first += batch) {
    hashes.resize(std::min(batch, block.rows() - first));
    parallel_for((hashes.size() + group - 1) / group, hashes.size() < 4 * group ? 1 : threads,
                 [&](std::size_t g) {
                   const std::size_t own = std::min(group, hashes.size() - g * group);
                   hash_rows(block, first + g * group, std::span(hashes).subspan(g * group, own));
                 });
    lower_threshold(hashes);
    for (std::size_t r = 0; r < hashes.size(); ++r) add_row(block, first + r, hashes[r]);
  }
}

void RowSample::add_row(const RowBlock& block, std::size_t row, std::uint64_t hash) {
  const double weight = block.weight(row);
  if (!(weight > 0)) return;
  const std::uint64_t place = seen_++;
  if (hash > threshold_) return;
  Key key{hash, {}};
  key.second.reserve(columns_ + 3);
  for (std::size_t j = 0; j < columns_; ++j) key.second.push_back(block.x(row, j));
  key.second.push_back(block.y[row]);
  key.second.push_back(weight);
  if (!block.groups.empty()) key.second.push_back(block.groups[row]);
  Copies& copies = copies_[std::move(key)];
  ++copies.count;
  add_place(copies, place);
  shrink();
}

// Most rows of a long block would be kept only until enough smaller hashes have come. So the smallest hashes
// of the whole block are found first, and the other rows are never kept.
void RowSample::lower_threshold(std::vector<std::uint64_t> hashes) {
  const std::size_t wanted = saturated_product(2, capacity_);
  std::erase_if(hashes, [this](std::uint64_t hash) { return hash > threshold_; });
  // A few rows go directly into the map: sorting all hashes would take longer.
  if (hashes.size() < capacity_ / 4 || hashes.size() + copies_.size() <= wanted || wanted == 0) return;
  for (const auto& [key, copies] : copies_) hashes.push_back(key.first);
  std::ranges::sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  if (hashes.size() >= wanted) threshold_ = hashes[wanted - 1];
}

void RowSample::add_place(Copies& copies, std::uint64_t place) const {
  if (copies.places.empty() || place < capacity_) copies.places.push_back(place);
}

// Whatever is dropped has a larger hash than everything that is kept, now or later. So the copies of a kept
// row have been counted from the first one on.
void RowSample::shrink() {
  while (copies_.size() > saturated_product(2, capacity_)) {
    copies_.erase(std::prev(copies_.end()));
    threshold_ = copies_.empty() ? 0 : copies_.rbegin()->first.first;
  }
}

void RowSample::merge(const RowSample& other) {
  for (const auto& [key, theirs] : other.copies_) {
    if (key.first > threshold_) break;
    Copies& ours = copies_[key];
    ours.count += theirs.count;
    for (const std::uint64_t place : theirs.places) add_place(ours, place + seen_);
  }
  seen_ += other.seen_;
  shrink();
}

/// The copies with the smallest hashes, in the order they were added.
std::vector<RowSample::Drawn> RowSample::draw() const {
  const auto smaller = [](const Drawn& a, const Drawn& b) {
    return std::tie(a.hash, *a.contents, a.place) < std::tie(b.hash, *b.contents, b.place);
  };
  std::vector<Drawn> heap;  // the largest on top
  for (const auto& [key, copies] : copies_)
    for (std::uint64_t before = 0; before < copies.count; ++before) {
      const std::uint64_t place =
          copies.places[static_cast<std::size_t>(std::min<std::uint64_t>(before, copies.places.size() - 1))];
      const Drawn copy{hash_of_copy(key.first, before), place, &key.second};
      if (heap.size() == capacity_) {
        if (heap.empty() || !smaller(copy, heap.front())) continue;
        std::ranges::pop_heap(heap, smaller);
        heap.pop_back();
      }
      heap.push_back(copy);
      std::ranges::push_heap(heap, smaller);
    }
  std::ranges::sort(heap, [](const Drawn& a, const Drawn& b) {
    return std::tie(a.place, a.hash) < std::tie(b.place, b.hash);
  });
  return heap;
}

RowSample::Rows RowSample::take() && {
  const std::vector<Drawn> drawn = draw();
  Rows rows;
  rows.x.resize(drawn.size() * columns_);
  bool weighted = false;
  for (std::size_t r = 0; r < drawn.size(); ++r) {
    const Contents& contents = *drawn[r].contents;
    for (std::size_t j = 0; j < columns_; ++j) rows.x[j * drawn.size() + r] = contents[j];
    rows.y.push_back(contents[columns_]);
    rows.weights.push_back(contents[columns_ + 1]);
    weighted = weighted || rows.weights.back() != 1;
    if (contents.size() > columns_ + 2) rows.groups.push_back(contents[columns_ + 2]);
  }
  if (!weighted) rows.weights.clear();
  return rows;
}

std::vector<std::byte> RowSample::serialize() const {
  ByteWriter out;
  for (const std::uint64_t value : {std::uint64_t{columns_}, std::uint64_t{capacity_}, seen_, threshold_})
    out.u64(value);
  out.u64(copies_.size());
  for (const auto& [key, copies] : copies_) {
    out.u64(key.first);
    out.f64s(key.second);
    out.u64(copies.count);
    out.u64(copies.places.size());
    for (const std::uint64_t place : copies.places) out.u64(place);
  }
  return seal("KSMP", format_version, out.bytes());
}

namespace {

// More rows than any table has; a larger number is damage, and drawing would count up to it.
constexpr std::uint64_t most_rows = std::uint64_t{1} << 36;

[[noreturn]] void refuse_sample(std::string_view what) {
  throw Error(ErrorCode::corrupt_file, "bad_sample_row", "The KORE row sample holds {what}.",
              {{"what", what}});
}

}  // namespace

void RowSample::check_row(const Key& key, const Copies& copies) const {
  const std::size_t length = key.second.size();
  if (length < 2 || columns_ >= length || (length - 2 != columns_ && length - 2 != columns_ + 1))
    refuse_sample("a row of the wrong length");
  if (!all_finite(key.second) || !(key.second[columns_ + 1] > 0))
    refuse_sample("a row with a value that is not a finite number, or without weight");
  if (copies.places.empty()) refuse_sample("a row without a place");
  if (copies.count < copies.places.size() || copies.count > seen_ || copies_.size() >= seen_)
    refuse_sample("more copies of a row than there are rows");
  if (std::ranges::any_of(copies.places, [this](std::uint64_t place) { return place >= seen_; }))
    refuse_sample("a place behind the last row");
}

RowSample RowSample::deserialize(std::span<const std::byte> bytes) {
  ByteReader in(open_sealed(bytes, "KSMP", format_version, "row sample").content);
  const std::uint64_t columns = in.u64();
  RowSample sample(columns, in.u64());
  sample.seen_ = in.u64();
  sample.threshold_ = in.u64();
  if (sample.seen_ > most_rows) refuse_sample("more rows than a table can have");
  const std::size_t kept = in.count(40);
  for (std::size_t i = 0; i < kept; ++i) {
    Key key;
    key.first = in.u64();
    key.second = in.f64s();
    Copies copies;
    copies.count = in.u64();
    copies.places.resize(in.count(8));
    for (std::uint64_t& place : copies.places) place = in.u64();
    sample.check_row(key, copies);
    sample.copies_.emplace(std::move(key), std::move(copies));
  }
  return sample;
}

}  // namespace kore
