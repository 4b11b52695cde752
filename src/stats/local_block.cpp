#include "stats/local_block.hpp"

#include <algorithm>
#include <array>
#include <span>

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

std::vector<std::vector<std::size_t>> marginals_of(const Design& design) {
  std::vector<std::vector<std::size_t>> marginals(design.features().size());
  for (std::size_t m = 0; m < design.marginals().size(); ++m)
    marginals[design.marginals()[m].feature].push_back(m);
  return marginals;
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
      marginals_of_(marginals_of(design)),
      values_(design.marginals().size() * capacity * width_),
      cells_(design.marginals().size() * capacity),
      product_offsets_(product_offsets(design, width_)),
      products_(interactions ? product_offsets_.back() * capacity : 0),
      first_offsets_(first_offsets(design)),
      first_(interactions ? first_offsets_.back() * capacity : 0) {}

// So many rows that the values of all functions stay in the second-level cache. Where strips are short,
// fewer: the values of two terms then stay in the first-level cache with their strip. A long strip would be
// read and written for too few rows.
std::size_t LocalBlock::comfortable_rows(const Design& design, bool interactions) {
  constexpr std::size_t cache = std::size_t{1} << 20;
  constexpr std::size_t cache_beside_short_strips = std::size_t{1} << 18;
  constexpr std::size_t short_strip = 768;  // doubles
  constexpr std::size_t rows_per_cell = 32;
  const std::size_t width = width_for(design.degree());
  const std::size_t products = interactions ? product_offsets(design, width).back() : 0;
  const std::size_t doubles =
      design.marginals().size() * width + 2 * products;  // products are stored again in sorted order
  std::size_t cells = 1;
  std::size_t longest_strip = 0;
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    std::size_t own = 1;
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c)
      own *= static_cast<std::size_t>(design.basis(t, c).resolution());
    if (design.terms()[t].order() > 1) cells = std::max(cells, own);
    if (design.terms()[t].order() == 1)
      longest_strip = std::max(longest_strip, own * design.raw_term_columns(t) * width);
  }
  const bool short_strips = products == 0 && longest_strip <= short_strip;
  const std::size_t room = (short_strips ? cache_beside_short_strips : cache) / sizeof(double);
  const std::size_t rows = std::max(room / doubles, products > 0 ? rows_per_cell * cells : 0);
  return std::clamp<std::size_t>(rows / 64 * 64, 256, 4096);
}

void LocalBlock::clear(std::size_t feature, std::size_t row) {
  for (const std::size_t marginal : marginals_of_[feature])
    std::fill_n(values_.data() + (marginal * capacity_ + row) * width_, width_, 0.0);
}

void LocalBlock::multiply(std::size_t term, std::size_t rows) {
  if (design_->terms()[term].order() == 1) return;
  multiply_locals(term_rows(*design_, term, *this), rows, width_,
                  products_.data() + product_offsets_[term] * capacity_,
                  first_.data() + first_offsets_[term] * capacity_);
}

void LocalBlock::evaluate(std::size_t feature, const MatrixView& x, std::size_t first, std::size_t rows,
                          Extrapolation outside) {
  if (marginals_of_[feature].empty()) return;
  const Feature& own = design_->features()[feature];
  const ColumnView& column = x.column(feature);
  const ColumnView from{column.data + static_cast<std::ptrdiff_t>(first) * column.stride, column.stride};
  std::array<bool, 4> used{};
  for (const std::size_t marginal : marginals_of_[feature]) {
    const BasisArgument argument = design_->marginals()[marginal].argument;
    if (argument == BasisArgument::plain || (argument == BasisArgument::warped && own.warp.identity()))
      evaluate_marginal_at(marginal, from, 0, rows, outside);
    else
      used[static_cast<std::size_t>(argument)] = true;
  }
  std::array<double, 256> mapped;  // a piece at a time, so that nothing is allocated
  for (const BasisArgument argument : {BasisArgument::warped, BasisArgument::place, BasisArgument::around})
    for (std::size_t to = 0; used[static_cast<std::size_t>(argument)] && to < rows; to += mapped.size()) {
      const std::size_t count = std::min(mapped.size(), rows - to);
      const ColumnView piece{from.data + static_cast<std::ptrdiff_t>(to) * from.stride, from.stride};
      if (argument == BasisArgument::warped)
        own.warp.map(piece.data, piece.stride, std::span(mapped).first(count));
      else
        for (std::size_t r = 0; r < count; ++r)
          mapped[r] = argument == BasisArgument::place ? place_among(own.repeated, piece[r])
                                                       : into_period(own.range, piece[r]);
      for (const std::size_t marginal : marginals_of_[feature])
        if (design_->marginals()[marginal].argument == argument)
          evaluate_marginal_at(marginal, {mapped.data(), 1}, to, count, outside);
    }
}

// Rows `to .. to + rows` of the block; their warped values are the first of `mapped`.
void LocalBlock::evaluate_marginal_at(std::size_t marginal, const ColumnView& mapped, std::size_t to,
                                      std::size_t rows, Extrapolation outside) {
  const UniformBasis& basis = design_->marginals()[marginal].basis;
  double* values = values_.data() + (marginal * capacity_ + to) * width_;
  std::int32_t* cells = cells_.data() + marginal * capacity_ + to;
  if (basis.constant()) return;  // cells and values stay zero
  evaluate_marginal(basis, mapped.data, mapped.stride, rows, width_, values, cells);
  if (outside == Extrapolation::continue_polynomial) return;
  for (std::size_t r = 0; r < rows; ++r) {
    const double point = mapped[r];
    if (basis.inside(point)) continue;
    const LocalBasis local = basis.evaluate(point, outside);
    cells[r] = local.cell;
    std::copy_n(local.value.begin(), basis.degree() + 1, values + r * width_);
  }
}

}  // namespace kore
