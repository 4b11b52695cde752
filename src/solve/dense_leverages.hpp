#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "kore/solve.hpp"
#include "solve/blas.hpp"
#include "stats/dense_rows.hpp"
#include "stats/press.hpp"

namespace kore {

/// Leverages from dense rows: by triangular solves or, within SmootherOptions::inverse_limit, by products
/// with the inverse of the factor, which are faster.
class DenseLeverages final : public ExactLeverages {
 public:
  DenseLeverages(const Design& design, const std::vector<TermMap>& maps, const Cholesky& cholesky)
      : rows_(design, maps), cholesky_(cholesky) {}

  void multiply_by(std::vector<double> inverse_factor) { inverse_factor_ = std::move(inverse_factor); }
  bool by_products() const { return !inverse_factor_.empty(); }

  void compute(const LocalBlock& local, std::span<const std::size_t> rows,
               std::span<double> leverages) const override {
    const std::size_t p = rows_.columns();
    std::vector<double> panel(std::min(panel_rows, rows.size()) * p);
    std::vector<double> products(by_products() ? step * panel_rows : 0);
    for (std::size_t first = 0; first < rows.size(); first += panel_rows) {
      const std::size_t count = std::min(panel_rows, rows.size() - first);
      rows_.write(local, rows.subspan(first, count), panel.data());
      const std::span<double> own = leverages.subspan(first, count);
      std::ranges::fill(own, 0.0);
      if (by_products()) {
        add_products(panel, products, own);
        continue;
      }
      cholesky_.half_solve(std::span(panel).first(count * p), count);
      add_squares(panel.data(), p, own);
    }
  }

 private:
  static constexpr std::size_t panel_rows = 256;
  static constexpr std::size_t step = 64;  // rows of the inverse factor at a time

  static void add_squares(const double* columns, std::size_t size, std::span<double> sums) {
    for (std::size_t r = 0; r < sums.size(); ++r)
      sums[r] += std::inner_product(columns + r * size, columns + (r + 1) * size, columns + r * size, 0.0);
  }
  void add_products(const std::vector<double>& panel, std::vector<double>& products,
                    std::span<double> sums) const {
    const std::size_t p = rows_.columns();
    for (std::size_t first = 0; first < p; first += step) {
      const std::size_t own = std::min(step, p - first);  // zeros behind the diagonal
      product(inverse_factor_.data() + first, own, p, panel.data(), sums.size(), p, first + own,
              products.data(), own);
      add_squares(products.data(), own, sums);
    }
  }

  DenseRows rows_;
  const Cholesky& cholesky_;
  std::vector<double> inverse_factor_;
};

}  // namespace kore
