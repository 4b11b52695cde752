#include "pass/shifted_source.hpp"

#include "pass/format.hpp"

namespace kore {
namespace {

std::vector<double> shifted_target(const RowBlock& block, double shift, double unit) {
  std::vector<double> shifted(block.y.begin(), block.y.end());
  for (double& value : shifted) value = (value - shift) / unit;
  return shifted;
}

}  // namespace

void ShiftedSource::for_each_block(const std::function<void(const RowBlock&)>& visit) const {
  if (shift_ == 0 && unit_ == 1) return rows_.for_each_block(visit);
  rows_.for_each_block([&](const RowBlock& block) {
    const std::vector<double> shifted = shifted_target(block, shift_, unit_);
    visit({block.x, shifted, block.weights, block.groups});
  });
}

void ShiftedSource::run(Pass& pass, int threads) const {
  if (shift_ == 0 && unit_ == 1) return rows_.run(pass, threads);
  ShiftedPass shifted(pass, shift_, unit_);
  rows_.run(shifted, threads);
}

std::unique_ptr<Pass> ShiftedPass::read(ByteReader& task) {
  const double shift = task.f64();
  const double unit = task.f64();
  const auto other = task.section();
  // A shift of a shift never occurs in valid tasks; damaged bytes could nest so many that the stack
  // overflows.
  if (open_task(other).kind == PassKind::shifted) refuse_task();
  return std::unique_ptr<Pass>(new ShiftedPass(pass_from_task(other), shift, unit));
}

void ShiftedPass::add(const RowBlock& block, int threads) {
  const std::vector<double> shifted = shifted_target(block, shift_, unit_);
  pass_.add({block.x, shifted, block.weights, block.groups}, threads);
}

std::vector<std::byte> ShiftedPass::task() const {
  ByteWriter out;
  out.f64(shift_);
  out.f64(unit_);
  out.section(pass_.task());
  return seal_task(PassKind::shifted, out.bytes());
}

}  // namespace kore
