#include "fit/refit.hpp"

#include "model/column_count.hpp"
#include "pass/gram_passes.hpp"
#include "pass/refine.hpp"
#include "pass/shifted_source.hpp"
#include "penalty/roughness.hpp"

namespace kore {

Smoother refit(const RowSource& source, const Model& model, int threads) {
  check_column_count(model, source.columns());
  const ShiftedSource shifted(source, TargetShift{model.summary.target_shift, 1, model.target_scale});
  const GramAccumulator gram = gram_of(shifted, model.design, GramBlocks::all, threads);
  SmootherOptions options;
  options.ridge = model.summary.ridge;
  options.relative_ridge = model.summary.relative_ridge;
  options.threads = threads;
  for (std::size_t t = 0; t < model.penalty_weights.size(); ++t)
    options.penalties.push_back({t, weighted_penalty(model.design, t, model.penalty_weights[t])});
  Smoother smoother(gram, options);
  Smoother* const fits[]{&smoother};
  refine(fits, shifted, threads);
  return smoother;
}

}  // namespace kore
