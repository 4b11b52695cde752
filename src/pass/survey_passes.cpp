#include "pass/survey_passes.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "pass/format.hpp"

namespace kore {

SurveyPass::SurveyPass(std::size_t columns, std::vector<std::string> names, std::size_t sample_rows)
    : columns_(columns), names_(std::move(names)), ranges_(columns, names_) {
  if (sample_rows > 0) sample_.emplace(columns, sample_rows);
}

std::unique_ptr<Pass> SurveyPass::read(ByteReader& task) {
  const std::size_t columns = task.u64();
  const std::size_t sample_rows = task.u64();
  std::vector<std::string> names(task.count(8));
  for (std::string& name : names) name = task.text();
  // The bytes hold a name for every column, possibly an empty one. So their length bounds the number.
  if (columns > names.size()) refuse_task();
  return std::make_unique<SurveyPass>(columns, std::move(names), sample_rows);
}

void SurveyPass::add(const RowBlock& block, int threads) {
  ranges_.add(block, threads);
  if (sample_) sample_->add(block, threads);
}

std::vector<std::byte> SurveyPass::serialize() const {
  ByteWriter out;
  out.section(ranges_.serialize());
  if (sample_) out.section(sample_->serialize());
  return seal_result(PassKind::survey, out.bytes());
}

void SurveyPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::survey, result);
  const RangeAccumulator other = RangeAccumulator::deserialize(in.section());
  if (other.columns() != columns_) refuse_result();
  if (sample_) {
    const RowSample drawn = RowSample::deserialize(in.section());
    if (drawn.columns() != columns_ || drawn.capacity() != sample_->capacity()) refuse_result();
    sample_->merge(drawn);
  }
  ranges_.merge(other);
}

std::vector<std::byte> SurveyPass::task() const {
  ByteWriter out;
  out.u64(columns_);
  out.u64(sample_ ? sample_->capacity() : 0);
  const std::size_t names = std::max(columns_, names_.size());
  out.u64(names);
  for (std::size_t j = 0; j < names; ++j) out.text(j < names_.size() ? names_[j] : "");
  return seal_task(PassKind::survey, out.bytes());
}

PassFacts SurveyPass::facts() const {
  // Twice as many different rows as the sample: hash, length, features, target, weight, group, count and
  // positions.
  constexpr std::size_t beside_the_features = 8;
  const std::size_t row = (columns_ + beside_the_features) * sizeof(double);
  const std::size_t ranges = ranges_.serialize().size();
  const std::size_t sampled = sample_ ? saturated_product(sample_->capacity(), 2 * row) : 0;
  return {"survey", columns_, {}, std::max(sampled, ranges + sampled)};
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
