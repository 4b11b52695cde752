#include "stats/local_block.hpp"

#include <algorithm>

#include "stats/kernels.hpp"
#include "stats/strips.hpp"

namespace kore {

namespace {

// Doubles that the products of every term take per row, as offsets; the last one is the sum.
std::vector<std::size_t> product_offsets(const Design& design, std::size_t width) {
  std::vector<std::size_t> offsets{0};
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    const std::size_t order = design.terms()[t].order();
    std::size_t size = order > 1 ? width : 0;
    for (std::size_t c = 0; c + 1 < order; ++c)
      size *= static_cast<std::size_t>(design.basis(t, c).degree() + 1);
    offsets.push_back(offsets.back() + size);
  }
  return offsets;
}

std::vector<std::size_t> first_offsets(const Design& design) {
  std::vector<std::size_t> offsets{0};
  for (const Term& term : design.terms()) offsets.push_back(offsets.back() + (term.order() > 1 ? 1 : 0));
  return offsets;
}

}  // namespace

LocalBlock::LocalBlock(const Design& design, std::size_t capacity, bool interactions)
    : design_(&design),
      capacity_(capacity),
      width_(width_for(design.degree())),
      values_(design.marginals().size() * capacity * width_),
      cells_(design.marginals().size() * capacity),
      product_offsets_(product_offsets(design, width_)),
      products_(interactions ? product_offsets_.back() * capacity : 0),
      first_offsets_(first_offsets(design)),
      first_(interactions ? first_offsets_.back() * capacity : 0) {}

std::size_t LocalBlock::comfortable_rows(const Design& design, bool interactions) {
  constexpr std::size_t cache = std::size_t{1} << 20;
  constexpr std::size_t rows_per_cell = 32;
  const std::size_t width = width_for(design.degree());
  const std::size_t products = interactions ? product_offsets(design, width).back() : 0;
  const std::size_t doubles = design.marginals().size() * width + 2 * products;  // once more in sorted order
  std::size_t cells = 1;
  for (std::size_t t = 0; t < design.terms().size() && products > 0; ++t) {
    std::size_t own = 1;
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c)
      own *= static_cast<std::size_t>(design.basis(t, c).resolution());
    if (design.terms()[t].order() > 1) cells = std::max(cells, own);
  }
  const std::size_t rows =
      std::max(cache / (doubles * sizeof(double)), products > 0 ? rows_per_cell * cells : 0);
  return std::clamp<std::size_t>(rows / 64 * 64, 256, 4096);
}

void LocalBlock::clear(std::size_t marginal, std::size_t row) {
  std::fill_n(values_.data() + (marginal * capacity_ + row) * width_, width_, 0.0);
}

void LocalBlock::multiply(std::size_t term, std::size_t rows) {
  if (design_->terms()[term].order() == 1) return;
  multiply_locals(term_rows(*design_, term, *this), rows, width_,
                  products_.data() + product_offsets_[term] * capacity_,
                  first_.data() + first_offsets_[term] * capacity_);
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
