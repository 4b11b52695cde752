#pragma once

#include <functional>
#include <vector>

#include "kore/rows.hpp"

namespace kore::table {

/// The rows of another source, whose target is the position of a class, as yes and no: 1 where the target is
/// `position`, 0 elsewhere. The other source has to outlive this one.
class OneClass final : public RowSource {
 public:
  OneClass(const RowSource& rows, std::size_t position);

  std::size_t columns() const override { return rows_.columns(); }
  bool in_memory() const override { return rows_.in_memory(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override;

 private:
  /// The same rows, with a target that lives in `target`.
  RowBlock as_yes_or_no(const RowBlock& block, std::vector<double>& target) const;

  const RowSource& rows_;
  double position_;
  std::vector<double> target_;  ///< Of rows in memory, whose views outlive a visit.
};

}  // namespace kore::table
