#include "pass/shifted_source.hpp"

#include <cmath>

#include "design/design_bytes.hpp"
#include "pass/format.hpp"

namespace kore {
namespace {

std::vector<double> shifted_target(const RowBlock& block, const TargetShift& by) {
  std::vector<double> shifted(block.y.begin(), block.y.end());
  for (double& value : shifted) value = (to_scale(by.scale, value) - by.shift) / by.unit;
  return shifted;
}

}  // namespace

void ShiftedSource::for_each_block(const std::function<void(const RowBlock&)>& visit) const {
  if (shift_.nothing()) return rows_.for_each_block(visit);
  rows_.for_each_block([&](const RowBlock& block) {
    const std::vector<double> shifted = shifted_target(block, shift_);
    visit({block.x, shifted, block.weights, block.groups});
  });
}

void ShiftedSource::run(Pass& pass, int threads) const {
  if (shift_.nothing()) return rows_.run(pass, threads);
  ShiftedPass shifted(pass, shift_);
  rows_.run(shifted, threads);
}

std::unique_ptr<Pass> ShiftedPass::read(ByteReader& task, std::uint64_t most_bytes) {
  TargetShift shift;
  shift.shift = task.f64();
  shift.unit = task.f64();
  shift.scale = read_enum(task, TargetScale::logarithm);
  const bool usable = std::isfinite(shift.shift) && std::isfinite(shift.unit) && shift.unit > 0;
  if (!usable || shift.scale == TargetScale::automatic) refuse_task();
  const auto other = task.section();
  // A shift of a shift never occurs in valid tasks; damaged bytes could nest so many that the stack
  // overflows.
  if (open_task(other).kind == PassKind::shifted) refuse_task();
  return std::unique_ptr<Pass>(new ShiftedPass(pass_from_task(other, most_bytes), shift));
}

void ShiftedPass::add(const RowBlock& block, int threads) {
  const std::vector<double> shifted = shifted_target(block, shift_);
  inner().add({block.x, shifted, block.weights, block.groups}, threads);
}

std::vector<std::byte> ShiftedPass::task() const {
  ByteWriter out;
  out.f64(shift_.shift);
  out.f64(shift_.unit);
  out.u8(static_cast<std::uint8_t>(shift_.scale));
  out.section(inner().task());
  return seal_task(PassKind::shifted, out.bytes());
}

}  // namespace kore
