#include "select/residuals.hpp"

#include <utility>

#include "stats/linear_form.hpp"

namespace kore {

std::vector<double> residuals(const Smoother& fit, const RowBlock& block, int threads) {
  std::vector<double> left(block.rows());
  evaluate_rows(fit.design(), fit.intercept(), fit.coefficients(), Extrapolation::continue_polynomial,
                block.x, left, threads);
  for (std::size_t r = 0; r < left.size(); ++r) left[r] = block.weight(r) > 0 ? block.y[r] - left[r] : 0.0;
  return left;
}

void refine(std::span<Smoother* const> fits, const RowSource& source, int threads) {
  std::vector<std::pair<Smoother*, GramAccumulator>> wanting;
  for (Smoother* fit : fits)
    if (fit->wants_refinement()) wanting.emplace_back(fit, GramAccumulator(fit->design(), GramBlocks::none));
  if (wanting.empty()) return;
  source.for_each_block([&](const RowBlock& block) {
    for (auto& [fit, products] : wanting) {
      const std::vector<double> left = residuals(*fit, block, threads);
      products.add({block.x, left, block.weights}, threads);
    }
  });
  for (auto& [fit, products] : wanting) fit->refine(products);
}

}  // namespace kore
