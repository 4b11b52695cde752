#include "stats/local_block.hpp"

#include <algorithm>

#include "stats/kernels.hpp"

namespace kore {

LocalBlock::LocalBlock(const Design& design, std::size_t capacity)
    : design_(&design),
      capacity_(capacity),
      width_(width_for(design.degree())),
      values_(design.marginals().size() * capacity * width_),
      cells_(design.marginals().size() * capacity) {}

std::size_t LocalBlock::comfortable_rows(const Design& design) {
  constexpr std::size_t cache = 1 << 20;
  const std::size_t row = design.marginals().size() * width_for(design.degree()) * sizeof(double);
  return std::clamp<std::size_t>(cache / row / 64 * 64, 256, 4096);
}

void LocalBlock::evaluate(std::size_t marginal, const MatrixView& x, std::size_t first, std::size_t rows,
                          Extrapolation outside) {
  const Marginal& m = design_->marginals()[marginal];
  double* values = values_.data() + marginal * capacity_ * width_;
  std::int32_t* cells = cells_.data() + marginal * capacity_;
  const ColumnView& column = x.column(m.feature);
  if (m.basis.constant()) return;  // cells and values stay zero
  evaluate_marginal(m.basis, column.data + static_cast<std::ptrdiff_t>(first) * column.stride, column.stride,
                    rows, width_, values, cells);
  if (outside == Extrapolation::continue_polynomial) return;
  for (std::size_t r = 0; r < rows; ++r) {
    const double point = column[first + r];
    if (m.basis.inside(point)) continue;
    const LocalBasis local = m.basis.evaluate(point, outside);
    cells[r] = local.cell;
    std::copy_n(local.value.begin(), m.basis.degree() + 1, values + r * width_);
  }
}

}  // namespace kore
