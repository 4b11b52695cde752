#include "pass/refine.hpp"

#include <vector>

#include "pass/gram_passes.hpp"

namespace kore {

void refine(std::span<Smoother* const> fits, const RowSource& source, int threads) {
  std::vector<Smoother*> wanting;
  ResidualGramPass pass;
  for (Smoother* fit : fits) {
    if (!fit->wants_refinement()) continue;
    wanting.push_back(fit);
    pass.include(*fit, fit->design(), GramBlocks::none);
  }
  if (wanting.empty()) return;
  source.run(pass, threads);
  const std::vector<GramAccumulator> products = std::move(pass).take();
  for (std::size_t i = 0; i < wanting.size(); ++i) wanting[i]->refine(products[i]);
}

}  // namespace kore
