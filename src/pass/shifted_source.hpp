#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "kore/pass.hpp"

namespace kore {

/// The rows of another source with the target `(y - shift) / unit`. A pass over it becomes a pass over that
/// source, which shifts the target itself.
class ShiftedSource final : public RowSource {
 public:
  ShiftedSource(const RowSource& rows, double shift, double unit = 1)
      : rows_(rows), shift_(shift), unit_(unit) {}

  std::size_t columns() const override { return rows_.columns(); }
  bool in_memory() const override { return rows_.in_memory(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override;
  void run(Pass& pass, int threads) const override;

 private:
  const RowSource& rows_;
  double shift_;
  double unit_;
};

/// Adds rows to another pass, with their target shifted. Its sums are those of the other pass.
class ShiftedPass final : public Pass {
 public:
  /// The other pass has to outlive this one.
  ShiftedPass(Pass& pass, double shift, double unit) : pass_(pass), shift_(shift), unit_(unit) {}
  static std::unique_ptr<Pass> read(ByteReader& task);

  void add(const RowBlock& block, int threads) override;
  std::vector<std::byte> serialize() const override { return pass_.serialize(); }
  void merge(std::span<const std::byte> result) override { pass_.merge(result); }
  std::vector<std::byte> task() const override;
  PassFacts facts() const override { return pass_.facts(); }

 private:
  ShiftedPass(std::unique_ptr<Pass> pass, double shift, double unit)
      : own_(std::move(pass)), pass_(*own_), shift_(shift), unit_(unit) {}

  std::unique_ptr<Pass> own_;
  Pass& pass_;
  double shift_;
  double unit_;
};

}  // namespace kore
