#include "stats/strips.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace kore {
namespace {

std::vector<double> transposed(std::span<const double> matrix, std::size_t rows) {
  constexpr std::size_t tile = 8;  // whole cache lines on both sides
  const std::size_t columns = matrix.size() / rows;
  std::vector<double> result(matrix.size());
  for (std::size_t top = 0; top < rows; top += tile)
    for (std::size_t left = 0; left < columns; left += tile)
      for (std::size_t i = top; i < std::min(top + tile, rows); ++i)
        for (std::size_t j = left; j < std::min(left + tile, columns); ++j)
          result[j * rows + i] = matrix[i * columns + j];
  return result;
}

}  // namespace

StripLayout::StripLayout(const Design& design, GramBlocks blocks, Use use)
    : width_(LocalBlock::width_for(design.degree())) {
  const std::size_t terms = design.terms().size();
  std::vector<double> locals(terms, 1.0);
  for (std::size_t t = 0; t < terms; ++t) {
    const std::size_t order = design.terms()[t].order();
    for (std::size_t c = 0; c < order; ++c) locals[t] *= design.basis(t, c).degree() + 1;
    const UniformBasis& first = design.basis(t, 0);
    terms_.push_back({order > 1, design.raw_term_columns(t), static_cast<std::size_t>(first.resolution()),
                      static_cast<std::size_t>(first.degree() + 1)});
  }
  if (blocks == GramBlocks::none) return;
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t u = t; u < (blocks == GramBlocks::all ? terms : t + 1); ++u) {
      const bool by_cells = terms_[t].interaction || terms_[u].interaction;
      const bool plain = !by_cells && use == Use::reading && read_densely(terms_[t], terms_[u]);
      const std::size_t size = by_cells || plain ? terms_[t].functions * terms_[u].functions
                                                 : strip_size(terms_[t], terms_[u].functions);
      const std::size_t sorted = terms_[u].interaction ? u : t;
      blocks_.push_back(
          {t, u, size_, size, locals[t] * locals[u], by_cells, plain, sorted, sorted == u ? t : u});
      size_ += (size + 7) / 8 * 8;  // whole vectors, so that strips stay aligned
      cost_ += blocks_.back().cost;
    }
}

std::size_t numbers_in(const Design& design, GramBlocks blocks) {
  const std::size_t raw = design.raw_columns();
  if (blocks == GramBlocks::none) return 0;
  std::size_t squares = 0;
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    squares = checked_sum(squares, checked_product(design.raw_term_columns(t), design.raw_term_columns(t)));
  return blocks == GramBlocks::diagonal ? squares : checked_sum(checked_product(raw, raw), squares) / 2;
}

const StripLayout::Block* StripLayout::find(std::size_t left, std::size_t right) const {
  const std::size_t terms = terms_.size();
  if (left > right || right >= terms) return nullptr;
  const bool diagonal = blocks_.size() <= terms;  // also true of a single term
  if (diagonal && left != right) return nullptr;
  const std::size_t index = diagonal ? left : left * terms - left * (left + 1) / 2 + right;
  return index < blocks_.size() ? &blocks_[index] : nullptr;
}

// Whole vectors are read at every function of right, so both terms must have as many local functions as a
// vector has lanes.
bool StripLayout::read_densely(const Shape& left, const Shape& right) const {
  constexpr std::size_t long_strip = 1024;  // doubles: a sixth of the cache, with the values of the rows
  return left.locals == width_ && right.locals == width_ && strip_size(left, right.functions) > long_strip;
}

std::size_t StripLayout::strip_size(const Shape& left, std::size_t columns) const {
  return left.cells * columns * width_;
}

// Visits (index into the dense block, index into the strip, whether this is the first cell that holds the
// entry).
template <class Visit>
void StripLayout::for_each_entry(const Shape& left, std::size_t columns, Visit&& visit) const {
  std::size_t at = 0;
  for (std::size_t cell = 0; cell < left.cells; ++cell)
    for (std::size_t column = 0; column < columns; ++column, at += width_)
      for (std::size_t local = 0; local < left.locals; ++local) {
        const bool home = local == 0 || cell + 1 == left.cells;
        visit((cell + local) * columns + column, at + local, home);
      }
}

std::vector<double> StripLayout::fold(const Block& block, std::span<const double> stored) const {
  if (block.plain || (block.by_cells && block.sorted == block.left)) return {stored.begin(), stored.end()};
  if (block.by_cells) return transposed(stored, terms_[block.right].functions);
  const std::size_t columns = terms_[block.right].functions;
  std::vector<double> dense(terms_[block.left].functions * columns);
  for_each_entry(terms_[block.left], columns,
                 [&](std::size_t entry, std::size_t at, bool) { dense[entry] += stored[at]; });
  return dense;
}

void StripLayout::spread(const Block& block, std::span<const double> dense, double factor,
                         std::span<double> stored) const {
  const auto scaled = [factor](double value) { return factor * value; };
  if (block.plain || (block.by_cells && block.sorted == block.left)) {
    std::ranges::transform(dense, stored.begin(), scaled);
    return;
  }
  if (block.by_cells) {
    std::ranges::transform(transposed(dense, terms_[block.left].functions), stored.begin(), scaled);
    return;
  }
  for_each_entry(terms_[block.left], terms_[block.right].functions,
                 [&](std::size_t entry, std::size_t at, bool) { stored[at] = factor * dense[entry]; });
}

void StripLayout::deposit(const Block& block, std::span<const double> dense, std::span<double> stored) const {
  if (block.by_cells || block.plain) {
    std::vector<double> own(dense.size());
    spread(block, dense, 1.0, own);
    for (std::size_t i = 0; i < own.size(); ++i) stored[i] += own[i];
    return;
  }
  for_each_entry(terms_[block.left], terms_[block.right].functions,
                 [&](std::size_t entry, std::size_t at, bool home) {
                   if (home) stored[at] += dense[entry];
                 });
}

std::size_t StripLayout::beside_size(std::size_t term, std::size_t rows) const {
  return terms_[term].interaction ? rows * terms_[term].functions : strip_size(terms_[term], rows);
}

std::vector<double> StripLayout::fold_beside(std::size_t term, std::size_t rows,
                                             std::span<const double> stored) const {
  if (terms_[term].interaction) return transposed(stored, terms_[term].functions);
  std::vector<double> dense(terms_[term].functions * rows);
  for_each_entry(terms_[term], rows,
                 [&](std::size_t entry, std::size_t at, bool) { dense[entry] += stored[at]; });
  return transposed(dense, terms_[term].functions);
}

void StripLayout::spread_beside(std::size_t term, std::size_t rows, std::span<const double> dense,
                                double factor, std::span<double> stored) const {
  const std::vector<double> by_function = transposed(dense, rows);
  if (terms_[term].interaction) {
    std::ranges::transform(by_function, stored.begin(), [factor](double value) { return factor * value; });
    return;
  }
  for_each_entry(terms_[term], rows,
                 [&](std::size_t entry, std::size_t at, bool) { stored[at] = factor * by_function[entry]; });
}

void StripLayout::deposit_beside(std::size_t term, std::size_t rows, std::span<const double> dense,
                                 std::span<double> stored) const {
  const std::vector<double> by_function = transposed(dense, rows);
  if (terms_[term].interaction) {
    for (std::size_t i = 0; i < dense.size(); ++i) stored[i] += by_function[i];
    return;
  }
  for_each_entry(terms_[term], rows, [&](std::size_t entry, std::size_t at, bool home) {
    if (home) stored[at] += by_function[entry];
  });
}

std::vector<std::size_t> StripLayout::shares(int members) const {
  std::vector<std::size_t> bounds{0};
  double done = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    done += blocks_[b].cost;
    while (static_cast<int>(bounds.size()) < members &&
           done >= cost_ * static_cast<double>(bounds.size()) / members)
      bounds.push_back(b + 1);
  }
  bounds.resize(static_cast<std::size_t>(members) + 1, blocks_.size());
  return bounds;
}

TermRows term_rows(const Design& design, std::size_t term, const LocalBlock& local) {
  TermRows rows;
  const auto& marginals = design.term_marginals(term);
  rows.order = static_cast<int>(marginals.size());
  for (std::size_t c = 0; c < marginals.size(); ++c) {
    const UniformBasis& basis = design.basis(term, c);
    rows.values[c] = local.values(marginals[c]);
    rows.cells[c] = local.cells(marginals[c]);
    rows.functions[c] = static_cast<std::size_t>(basis.functions());
    rows.locals[c] = basis.degree() + 1;
  }
  rows.products = rows.order > 1 ? local.products(term) : rows.values[0];
  rows.first = rows.order > 1 ? local.first(term) : rows.cells[0];
  rows.place_leads();
  return rows;
}

}  // namespace kore
