#include "pass/survey_passes.hpp"

#include <algorithm>

#include "pass/format.hpp"

namespace kore {

RangesPass::RangesPass(std::size_t columns, std::vector<std::string> names)
    : columns_(columns), names_(std::move(names)), sums_(columns, names_) {}

std::unique_ptr<Pass> RangesPass::read(ByteReader& task) {
  const std::size_t columns = task.u64();
  std::vector<std::string> names(task.count(8));
  for (std::string& name : names) name = task.text();
  if (columns > names.size() && !names.empty()) refuse_task();
  return std::make_unique<RangesPass>(columns, std::move(names));
}

void RangesPass::add(const RowBlock& block, int /*threads*/) { sums_.add(block); }

std::vector<std::byte> RangesPass::serialize() const {
  ByteWriter out;
  out.section(sums_.serialize());
  return seal_result(PassKind::ranges, out.bytes());
}

void RangesPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::ranges, result);
  const RangeAccumulator other = RangeAccumulator::deserialize(in.section());
  if (other.columns() != columns_) refuse_result();
  sums_.merge(other);
}

std::vector<std::byte> RangesPass::task() const {
  ByteWriter out;
  out.u64(columns_);
  out.u64(names_.size());
  for (const std::string& name : names_) out.text(name);
  return seal_task(PassKind::ranges, out.bytes());
}

PassFacts RangesPass::facts() const { return {"ranges", columns_, {}, sums_.serialize().size()}; }

RowSamplePass::RowSamplePass(std::size_t columns, std::size_t capacity)
    : capacity_(capacity), sample_(columns, capacity) {}

std::unique_ptr<Pass> RowSamplePass::read(ByteReader& task) {
  const std::size_t columns = task.u64();
  return std::make_unique<RowSamplePass>(columns, task.u64());
}

void RowSamplePass::add(const RowBlock& block, int /*threads*/) { sample_.add(block); }

std::vector<std::byte> RowSamplePass::serialize() const {
  ByteWriter out;
  out.section(sample_.serialize());
  return seal_result(PassKind::row_sample, out.bytes());
}

void RowSamplePass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::row_sample, result);
  const RowSample other = RowSample::deserialize(in.section());
  if (other.columns() != sample_.columns() || other.capacity() != capacity_) refuse_result();
  sample_.merge(other);
}

std::vector<std::byte> RowSamplePass::task() const {
  ByteWriter out;
  out.u64(sample_.columns());
  out.u64(capacity_);
  return seal_task(PassKind::row_sample, out.bytes());
}

PassFacts RowSamplePass::facts() const {
  // Twice as many different rows as are wanted: hash, length, features, target, weight, count and a place.
  constexpr std::size_t beside_the_features = 7;
  return {"sample",
          sample_.columns(),
          {},
          2 * capacity_ * (sample_.columns() + beside_the_features) * sizeof(double)};
}

EqualFeaturesPass::EqualFeaturesPass(std::size_t columns, std::vector<Pair> pairs)
    : columns_(columns), pairs_(std::move(pairs)), equal_(pairs_.size(), 1) {}

std::unique_ptr<Pass> EqualFeaturesPass::read(ByteReader& task) {
  const std::size_t columns = task.u64();
  std::vector<Pair> pairs(task.count(16));
  for (auto& [first, second] : pairs) {
    first = task.u64();
    second = task.u64();
    if (first >= columns || second >= columns) refuse_task();
  }
  return std::make_unique<EqualFeaturesPass>(columns, std::move(pairs));
}

void EqualFeaturesPass::add(const RowBlock& block, int /*threads*/) {
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const ColumnView& first = block.x.column(pairs_[p].first);
    const ColumnView& second = block.x.column(pairs_[p].second);
    for (std::size_t r = 0; r < block.rows() && equal_[p] != 0; ++r)
      if (first[r] != second[r]) equal_[p] = 0;
  }
}

std::vector<std::byte> EqualFeaturesPass::serialize() const {
  ByteWriter out;
  out.u64(equal_.size());
  for (const std::uint8_t equal : equal_) out.u8(equal);
  return seal_result(PassKind::equal_features, out.bytes());
}

void EqualFeaturesPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::equal_features, result);
  if (in.count(1) != equal_.size()) refuse_result();
  for (std::uint8_t& equal : equal_) equal = std::min<std::uint8_t>(equal, in.u8());
}

std::vector<std::byte> EqualFeaturesPass::task() const {
  ByteWriter out;
  out.u64(columns_);
  out.u64(pairs_.size());
  for (const auto& [first, second] : pairs_) {
    out.u64(first);
    out.u64(second);
  }
  return seal_task(PassKind::equal_features, out.bytes());
}

PassFacts EqualFeaturesPass::facts() const { return {"equal columns", columns_, {}, equal_.size() + 64}; }

}  // namespace kore
