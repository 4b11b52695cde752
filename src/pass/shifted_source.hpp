#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "kore/target_scale.hpp"
#include "pass/pass_around.hpp"

namespace kore {

/// What becomes of a target before a fit: `(g(y) - shift) / unit`, with `g` the scale.
struct TargetShift {
  double shift = 0;
  double unit = 1;
  TargetScale scale = TargetScale::identity;

  bool nothing() const { return shift == 0 && unit == 1 && scale == TargetScale::identity; }
};

/// The rows of another source with the target shifted. A pass over it becomes a pass over that
/// source, which shifts the target itself.
class ShiftedSource final : public RowSource {
 public:
  ShiftedSource(const RowSource& rows, const TargetShift& shift) : rows_(rows), shift_(shift) {}
  ShiftedSource(const RowSource& rows, double shift, double unit = 1)
      : ShiftedSource(rows, TargetShift{shift, unit}) {}

  std::size_t columns() const override { return rows_.columns(); }
  bool in_memory() const override { return rows_.in_memory(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override;
  void run(Pass& pass, int threads) const override;

 private:
  const RowSource& rows_;
  TargetShift shift_;
};

/// Adds rows to another pass, with their target shifted.
class ShiftedPass final : public PassAround {
 public:
  /// The other pass has to outlive this one.
  ShiftedPass(Pass& pass, const TargetShift& shift) : PassAround(pass), shift_(shift) {}
  static std::unique_ptr<Pass> read(ByteReader& task, std::uint64_t most_bytes);

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> task() const override;

 private:
  ShiftedPass(std::unique_ptr<Pass> pass, const TargetShift& shift)
      : PassAround(std::move(pass)), shift_(shift) {}

  TargetShift shift_;
};

}  // namespace kore
