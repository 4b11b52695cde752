#include "pass/press_passes.hpp"

#include <bit>
#include <utility>

#include "pass/format.hpp"

namespace kore {
namespace {

/// A number below `step` that follows from a row alone.
std::size_t start_of(const RowBlock& block, std::size_t step) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  const auto stir = [&hash](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0xbf58476d1ce4e5b9ULL;
    hash ^= hash >> 31U;
  };
  stir(block.y[0]);
  for (std::size_t j = 0; j < block.x.columns(); ++j) stir(block.x(0, j));
  return static_cast<std::size_t>(hash % step);
}

}  // namespace

LentFit::LentFit(const Smoother& here)
    : here_(&here), features_(here.design().features().size()), columns_(here.design().columns()) {}

LentFit LentFit::read(ByteReader& task) {
  LentFit lent;
  lent.features_ = task.u64();
  lent.columns_ = task.u64();
  const auto bytes = task.section();
  lent.bytes_.assign(bytes.begin(), bytes.end());
  return lent;
}

void LentFit::write(ByteWriter& out) const {
  out.u64(features_);
  out.u64(columns_);
  out.section(here_ != nullptr ? here_->serialize() : bytes_);
}

const Smoother& LentFit::fit(int threads) {
  if (here_ != nullptr) return *here_;
  if (!made_) {
    made_.emplace(Smoother::deserialize(bytes_, threads));
    if (made_->design().features().size() != features_ || made_->design().columns() != columns_)
      refuse_task();
  }
  return *made_;
}

PressPass::PressPass(std::span<const Smoother* const> fits) : sums_(fits.size()) {
  for (const Smoother* fit : fits) fits_.emplace_back(*fit);
}

PressPass::PressPass(std::vector<LentFit> fits) : fits_(std::move(fits)), sums_(fits_.size()) {}

std::unique_ptr<Pass> PressPass::read(ByteReader& task) {
  std::vector<LentFit> fits;
  const std::size_t count = task.count(24);
  for (std::size_t i = 0; i < count; ++i) {
    fits.push_back(LentFit::read(task));
    if (fits.back().features() != fits.front().features()) refuse_task();
  }
  if (fits.empty()) refuse_task();
  return std::unique_ptr<Pass>(new PressPass(std::move(fits)));
}

void PressPass::add(const RowBlock& block, int threads) {
  if (block.rows() == 0) return;
  for (std::size_t i = 0; i < fits_.size(); ++i) sums_[i].merge(fits_[i].fit(threads).press(block, threads));
}

std::vector<std::byte> PressPass::serialize() const {
  ByteWriter out;
  out.u64(sums_.size());
  for (const PressSums& sums : sums_) out.section(sums.serialize());
  return seal_result(PassKind::press, out.bytes());
}

void PressPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::press, result);
  if (in.count(8) != sums_.size()) refuse_result();
  for (PressSums& sums : sums_) sums.merge(PressSums::deserialize(in.section()));
}

std::vector<std::byte> PressPass::task() const {
  ByteWriter out;
  out.u64(fits_.size());
  for (const LentFit& fit : fits_) fit.write(out);
  return seal_task(PassKind::press, out.bytes());
}

PassFacts PressPass::facts() const {
  constexpr std::size_t bytes_of_sums = 128;
  PassFacts facts{"press", fits_.front().features(), {}, bytes_of_sums * (fits_.size() + 1)};
  for (const LentFit& fit : fits_) facts.columns.push_back(fit.columns());
  return facts;
}

ResidualSamplePass::ResidualSamplePass(const Smoother& fit, std::size_t step) : fit_(fit), step_(step) {}
ResidualSamplePass::ResidualSamplePass(LentFit fit, std::size_t step) : fit_(std::move(fit)), step_(step) {}

std::unique_ptr<Pass> ResidualSamplePass::read(ByteReader& task) {
  const std::size_t step = task.u64();
  if (step == 0) refuse_task();
  return std::unique_ptr<Pass>(new ResidualSamplePass(LentFit::read(task), step));
}

void ResidualSamplePass::add(const RowBlock& block, int threads) {
  if (block.rows() == 0) return;
  if (!started_ && fit_.came_as_bytes()) until_next_ = start_of(block, step_);
  started_ = true;
  std::vector<double> residuals(block.rows());
  fit_.fit(threads).press(block, threads, {residuals, {}});
  std::size_t row = until_next_;
  for (; row < block.rows(); row += step_)
    if (block.weight(row) > 0) kept_.push_back({residuals[row], block.weight(row)});
  until_next_ = row - block.rows();
}

std::vector<std::byte> ResidualSamplePass::serialize() const {
  std::vector<double> numbers;
  for (const auto& [residual, weight] : kept_) {
    numbers.push_back(residual);
    numbers.push_back(weight);
  }
  ByteWriter out;
  out.f64s(numbers);
  return seal_result(PassKind::residual_sample, out.bytes());
}

void ResidualSamplePass::merge(std::span<const std::byte> result) {
  const std::vector<double> numbers = open_result(PassKind::residual_sample, result).f64s();
  if (numbers.size() % 2 != 0) refuse_result();
  for (std::size_t i = 0; i < numbers.size(); i += 2) kept_.push_back({numbers[i], numbers[i + 1]});
}

std::vector<std::byte> ResidualSamplePass::task() const {
  ByteWriter out;
  out.u64(step_);
  fit_.write(out);
  return seal_task(PassKind::residual_sample, out.bytes());
}

PassFacts ResidualSamplePass::facts() const {
  return {"residuals", fit_.features(), {fit_.columns()}, most_residuals * sizeof(WeightedResidual)};
}

}  // namespace kore
