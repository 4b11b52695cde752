#include "stats/strips.hpp"

#include <algorithm>

namespace kore {

StripLayout::StripLayout(const Design& design, GramBlocks blocks)
    : width_(LocalBlock::width_for(design.degree())) {
  const std::size_t terms = design.terms().size();
  std::vector<double> locals(terms, 1.0);
  for (std::size_t t = 0; t < terms; ++t) {
    Left left;
    const std::size_t order = design.terms()[t].order();
    for (std::size_t c = 0; c < order; ++c) {
      const UniformBasis& basis = design.basis(t, c);
      locals[t] *= basis.degree() + 1;
      if (c + 1 < order) left.leads *= static_cast<std::size_t>(basis.functions());
    }
    const UniformBasis& last = design.basis(t, order - 1);
    left.cells = static_cast<std::size_t>(last.resolution());
    left.functions = static_cast<std::size_t>(last.functions());
    left.locals = static_cast<std::size_t>(last.degree() + 1);
    left_.push_back(left);
  }
  if (blocks == GramBlocks::none) return;
  for (std::size_t t = 0; t < terms; ++t)
    for (std::size_t u = t; u < (blocks == GramBlocks::all ? terms : t + 1); ++u) {
      const std::size_t size = strip_size(t, design.raw_term_columns(u));
      blocks_.push_back({t, u, size_, size, locals[t] * locals[u]});
      size_ += size;
      cost_ += blocks_.back().cost;
    }
}

std::size_t StripLayout::strip_size(std::size_t left, std::size_t columns) const {
  return left_[left].leads * left_[left].cells * columns * width_;
}

// Visits (index into the dense block, index into the strip, whether this cell is the entry's first home).
template <class Visit>
void StripLayout::for_each_entry(std::size_t left, std::size_t columns, Visit&& visit) const {
  const Left& shape = left_[left];
  std::size_t at = 0;
  for (std::size_t lead = 0; lead < shape.leads; ++lead)
    for (std::size_t cell = 0; cell < shape.cells; ++cell)
      for (std::size_t column = 0; column < columns; ++column, at += width_)
        for (std::size_t local = 0; local < shape.locals; ++local) {
          const bool home = local == 0 || cell + 1 == shape.cells;
          visit((lead * shape.functions + cell + local) * columns + column, at + local, home);
        }
}

std::vector<double> StripLayout::fold(std::size_t left, std::size_t columns,
                                      std::span<const double> strip) const {
  std::vector<double> dense(left_[left].leads * left_[left].functions * columns);
  for_each_entry(left, columns, [&](std::size_t entry, std::size_t at, bool) { dense[entry] += strip[at]; });
  return dense;
}

void StripLayout::spread(std::size_t left, std::size_t columns, std::span<const double> dense, double factor,
                         std::span<double> strip) const {
  for_each_entry(left, columns,
                 [&](std::size_t entry, std::size_t at, bool) { strip[at] = factor * dense[entry]; });
}

void StripLayout::deposit(std::size_t left, std::size_t columns, std::span<const double> dense,
                          std::span<double> strip) const {
  for_each_entry(left, columns, [&](std::size_t entry, std::size_t at, bool home) {
    if (home) strip[at] += dense[entry];
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
  if (rows.order > 1) rows.products = local.products(term);
  return rows;
}

}  // namespace kore
