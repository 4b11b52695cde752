#include "fit/refit.hpp"

#include <string>

#include "kore/error.hpp"
#include "pass/gram_passes.hpp"
#include "pass/refine.hpp"
#include "pass/shifted_source.hpp"
#include "penalty/roughness.hpp"

namespace kore {

Smoother refit(const RowSource& source, const Model& model, int threads) {
  if (source.columns() != model.design.features().size())
    throw Error(ErrorCode::invalid_data, "The model has " + std::to_string(model.design.features().size()) +
                                             " features, but the data have " +
                                             std::to_string(source.columns()) + " columns.");
  const ShiftedSource shifted(source, model.summary.target_shift);
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
