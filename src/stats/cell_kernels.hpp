#pragma once

#include <cstddef>

#include "base/aligned.hpp"
#include "stats/cell_order.hpp"
#include "stats/kernels.hpp"

namespace kore {

/// Doubles per row that `contract_cells` adds to.
constexpr std::size_t cell_sum_lanes = 8;

/// Adds `w_r left_r (x) right_r` of the rows in `order`, which is that of the interaction `right`, to
/// `block`: dense, `[functions of left][functions of right]`. The weights are in the order. `scratch` holds
/// zeros, `scratch_size` of them, before and after.
void accumulate_cells(const TermRows& left, const TermRows& right, const CellOrder& order, std::size_t width,
                      double* scratch, double* block);

/// Adds `left_r' S right_r` to `sums[r][0..cell_sum_lanes)`, still to be summed, for the dense block S. The
/// contents of the scratch are undefined afterwards.
void contract_cells(const TermRows& left, const TermRows& right, const CellOrder& order, std::size_t width,
                    const double* block, double* scratch, double* sums);

/// What the kernels need as scratch for two terms.
inline std::size_t scratch_size(const TermRows& left, const CellOrder& order) {
  return left.all_functions() * order.lanes();
}

}  // namespace kore
