#include "pass/press_passes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "pass/format.hpp"

namespace kore {
namespace {

constexpr std::size_t most_residuals = std::size_t{1} << 18;

/// A number below `step` that depends on the contents of a row alone.
std::size_t start_of(const RowBlock& block, std::size_t step) {
  std::uint64_t hash = mix_number_quickly(quick_hash_seed, block.y[0]);
  for (std::size_t j = 0; j < block.x.columns(); ++j) hash = mix_number_quickly(hash, block.x(0, j));
  return static_cast<std::size_t>(hash % step);
}

}  // namespace

FitOrBytes::FitOrBytes(const Smoother& here)
    : here_(&here), features_(here.design().features().size()), columns_(here.design().columns()) {}

FitOrBytes FitOrBytes::read(ByteReader& task) {
  FitOrBytes lent;
  lent.features_ = task.u64();
  lent.columns_ = task.u64();
  const auto bytes = task.section();
  lent.bytes_.assign(bytes.begin(), bytes.end());
  return lent;
}

void FitOrBytes::write(ByteWriter& out) const {
  out.u64(features_);
  out.u64(columns_);
  const Smoother* fit = here_ != nullptr ? here_ : made_ ? &*made_ : nullptr;
  out.section(fit != nullptr ? fit->serialize() : bytes_);
}

const Smoother& FitOrBytes::fit(int threads) {
  if (here_ != nullptr) return *here_;
  if (!made_) {
    made_.emplace(Smoother::deserialize(bytes_, threads));
    if (made_->design().features().size() != features_ || made_->design().columns() != columns_)
      refuse_task();
    bytes_ = {};
  }
  return *made_;
}

void HighLeverages::keep(HighLeverage row) {
  const auto before = [](const HighLeverage& a, const HighLeverage& b) {
    return std::tuple(-a.leverage, a.row) < std::tuple(-b.leverage, b.row);
  };
  rows_.insert(std::ranges::upper_bound(rows_, row, before), std::move(row));
  if (rows_.size() > most_influential_rows) rows_.pop_back();
}

void HighLeverages::add(const RowBlock& block, std::span<const double> leverages) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    if (!(leverages[r] > near_one_leverage)) continue;
    ++count_;
    HighLeverage row{seen_ + r, leverages[r], {}};
    for (std::size_t j = 0; j < block.x.columns(); ++j) row.x.push_back(block.x(r, j));
    keep(std::move(row));
  }
  seen_ += block.rows();
}

void HighLeverages::merge(const HighLeverages& after) {
  for (HighLeverage row : after.rows_) {
    row.row += seen_;
    keep(std::move(row));
  }
  seen_ += after.seen_;
  count_ += after.count_;
}

void HighLeverages::write(ByteWriter& out) const {
  out.u64(seen_);
  out.u64(count_);
  out.u64(rows_.size());
  for (const HighLeverage& row : rows_) {
    out.u64(row.row);
    out.f64(row.leverage);
    out.f64s(row.x);
  }
}

void HighLeverages::read(ByteReader& in, std::size_t features) {
  seen_ = in.u64();
  count_ = in.u64();
  rows_.resize(in.count(24));
  if (rows_.size() > most_influential_rows || rows_.size() > count_ || count_ > seen_) refuse_result();
  for (HighLeverage& row : rows_) {
    row.row = in.u64();
    row.leverage = in.f64();
    row.x = in.f64s();
    if (row.x.size() != features || row.row >= seen_ || !std::isfinite(row.leverage)) refuse_result();
  }
}

std::size_t residual_step(std::size_t rows) {
  return std::max<std::size_t>(1, (rows + most_residuals - 1) / most_residuals);
}

PressPass::PressPass(std::span<const Smoother* const> fits, std::size_t step)
    : step_(step), sums_(fits.size()), residuals_(fits.size()), high_(fits.size()) {
  for (const Smoother* fit : fits) fits_.emplace_back(*fit);
}

PressPass::PressPass(std::vector<FitOrBytes> fits, std::size_t step)
    : fits_(std::move(fits)),
      step_(step),
      sums_(fits_.size()),
      residuals_(fits_.size()),
      high_(fits_.size()) {}

std::unique_ptr<Pass> PressPass::read(ByteReader& task) {
  const std::size_t step = task.u64();
  std::vector<FitOrBytes> fits;
  const std::size_t count = task.count(24);
  for (std::size_t i = 0; i < count; ++i) {
    fits.push_back(FitOrBytes::read(task));
    if (fits.back().features() != fits.front().features()) refuse_task();
  }
  if (fits.empty()) refuse_task();
  return std::unique_ptr<Pass>(new PressPass(std::move(fits), step));
}

void PressPass::add(const RowBlock& block, int threads) {
  if (block.rows() == 0) return;
  if (!started_ && step_ > 0 && fits_.front().came_as_bytes()) until_next_ = start_of(block, step_);
  started_ = true;
  std::vector<double> residuals(step_ > 0 ? block.rows() : 0);
  std::vector<double> leverages(block.rows());
  for (std::size_t i = 0; i < fits_.size(); ++i) {
    sums_[i].merge(fits_[i].fit(threads).press(block, threads, {residuals, leverages, {}}));
    high_[i].add(block, leverages);
    if (step_ > 0) keep_residuals(i, block, residuals);
  }
  if (step_ == 0) return;
  while (until_next_ < block.rows()) until_next_ += step_;
  until_next_ -= block.rows();
}

void PressPass::keep_residuals(std::size_t fit, const RowBlock& block, std::span<const double> residuals) {
  for (std::size_t row = until_next_; row < block.rows(); row += step_)
    if (block.weight(row) > 0) residuals_[fit].push_back({residuals[row], block.weight(row)});
}

std::vector<std::byte> PressPass::serialize() const {
  ByteWriter out;
  out.u64(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    out.section(sums_[i].serialize());
    std::vector<double> numbers;
    for (const auto& [residual, weight] : residuals_[i]) {
      numbers.push_back(residual);
      numbers.push_back(weight);
    }
    out.f64s(numbers);
    high_[i].write(out);
  }
  return seal_result(PassKind::press, out.bytes());
}

void PressPass::merge(std::span<const std::byte> result) {
  ByteReader in = open_result(PassKind::press, result);
  if (in.count(16) != sums_.size()) refuse_result();
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i].merge(PressSums::deserialize(in.section()));
    const std::vector<double> numbers = in.f64s();
    if (numbers.size() % 2 != 0) refuse_result();
    for (std::size_t k = 0; k < numbers.size(); k += 2) residuals_[i].push_back({numbers[k], numbers[k + 1]});
    HighLeverages after;
    after.read(in, fits_[i].features());
    high_[i].merge(after);
  }
}

std::vector<std::byte> PressPass::task() const {
  ByteWriter out;
  out.u64(step_);
  out.u64(fits_.size());
  for (const FitOrBytes& fit : fits_) fit.write(out);
  return seal_task(PassKind::press, out.bytes());
}

PassFacts PressPass::facts() const {
  constexpr std::size_t bytes_of_sums = 128;
  const std::size_t bytes_of_rows =
      most_influential_rows * (sizeof(HighLeverage) + sizeof(double) * fits_.front().features());
  const std::size_t bytes =
      bytes_of_sums + bytes_of_rows + (step_ > 0 ? most_residuals * sizeof(WeightedResidual) : 0);
  PassFacts facts{"press", fits_.front().features(), {}, bytes_of_sums + bytes * fits_.size()};
  for (const FitOrBytes& fit : fits_) facts.columns.push_back(fit.columns());
  return facts;
}

}  // namespace kore
