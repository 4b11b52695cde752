#include "stats/dense_rows.hpp"

#include <algorithm>
#include <array>

namespace kore {
namespace {

struct Factor {
  const double* values = nullptr;
  std::size_t size = 0;
};

/// All products of the factors, the last one's index fastest.
void write_products(const std::array<Factor, max_order>& factors, std::size_t order, double* out) {
  if (order == 1) {
    std::copy_n(factors[0].values, factors[0].size, out);
    return;
  }
  const Factor& last = factors[order - 1];
  const auto row_of = [&](double before) {
    for (std::size_t k = 0; k < last.size; ++k) out[k] = before * last.values[k];
    out += last.size;
  };
  for (std::size_t i = 0; i < factors[0].size; ++i) {
    if (order == 2)
      row_of(factors[0].values[i]);
    else
      for (std::size_t j = 0; j < factors[1].size; ++j) row_of(factors[0].values[i] * factors[1].values[j]);
  }
}

}  // namespace

DenseRows::DenseRows(const Design& design, const std::vector<TermMap>& maps)
    : design_(design), offsets_{0}, means_(design.marginals().size()) {
  for (const Marginal& marginal : design.marginals()) {
    means_[offsets_.size() - 1].assign(static_cast<std::size_t>(marginal.basis.functions()), 0.0);
    offsets_.push_back(offsets_.back() + static_cast<std::size_t>(marginal.basis.functions()));
  }
  for (std::size_t t = 0; t < maps.size(); ++t) {
    widths_.emplace_back();
    for (std::size_t c = 0; c < maps[t].size(); ++c) {
      widths_.back().push_back(maps[t][c].columns);
      std::ranges::copy(maps[t][c].means, means_[design.term_marginals(t)[c]].begin());
    }
  }
}

void DenseRows::write(const LocalBlock& local, std::span<const std::size_t> rows, double* out) const {
  std::vector<double> centred(offsets_.back());
  for (const std::size_t row : rows) {
    for (std::size_t m = 0; m < means_.size(); ++m) {
      double* own = centred.data() + offsets_[m];
      std::ranges::transform(means_[m], own, [](double mean) { return -mean; });
      const double* value = local.values(m) + row * local.width();
      const Marginal& marginal = design_.marginals()[m];
      const auto cell = static_cast<std::size_t>(local.cells(m)[row]);
      for (std::size_t s = 0; s <= static_cast<std::size_t>(marginal.basis.degree()); ++s)
        own[marginal.cyclic() ? (cell + s) % marginal.different_functions() : cell + s] += value[s];
    }
    if (design_.has_intercept()) out[0] = 1;
    for (std::size_t t = 0; t < widths_.size(); ++t) {
      std::array<Factor, max_order> factors;
      for (std::size_t c = 0; c < widths_[t].size(); ++c)
        factors[c] = {centred.data() + offsets_[design_.term_marginals(t)[c]], widths_[t][c]};
      write_products(factors, widths_[t].size(), out + design_.offset(t));
    }
    out += columns();
  }
}

}  // namespace kore
