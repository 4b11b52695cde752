#include "fit/refit.hpp"

#include <utility>

#include "fit/robust_rows.hpp"
#include "model/column_count.hpp"
#include "pass/gram_passes.hpp"
#include "pass/refine.hpp"
#include "pass/shifted_source.hpp"
#include "penalty/roughness.hpp"

namespace kore {

std::optional<RowWeighing> weighing_of(const Model& model) {
  FittedFunction fit{model.design, model.intercept - model.summary.target_shift, model.coefficients};
  if (model.linked()) return RowWeighing(std::move(fit), model.family, model.family_parameter);
  if (!model.summary.robust) return std::nullopt;
  return weighing_by(fit, model.summary.robust->scale);
}

namespace {

/// The rows as a fit with the robust loss weighed them, or the working rows of a response with a link.
std::optional<WeighedSource> weighed_by(const Model& model, const RowSource& shifted, int threads) {
  std::optional<RowWeighing> weighing = weighing_of(model);
  if (!weighing) return std::nullopt;
  return std::optional<WeighedSource>(std::in_place, shifted, std::move(*weighing), threads);
}

}  // namespace

Smoother refit(const RowSource& source, const Model& model, int threads) {
  check_column_count(model, source.columns());
  const ShiftedSource shifted_rows(source, TargetShift{model.summary.target_shift, 1, model.target_scale});
  const std::optional<WeighedSource> weighed = weighed_by(model, shifted_rows, threads);
  const RowSource& shifted = weighed ? static_cast<const RowSource&>(*weighed) : shifted_rows;
  const GramAccumulator gram = gram_of(shifted, model.design, GramBlocks::all, threads);
  SmootherOptions options;
  options.ridge = model.summary.ridge;
  options.relative_ridge = model.summary.relative_ridge;
  options.threads = threads;
  const std::shared_ptr<const Response> response = response_of(model);
  if (model.linked()) {
    options.response = response.get();
    options.constant_predictor = response->link(model.summary.target_mean);
  }
  for (std::size_t t = 0; t < model.penalty_weights.size(); ++t)
    options.penalties.push_back({t, weighted_penalty(model.design, t, model.penalty_weights[t])});
  Smoother smoother(gram, options);
  Smoother* const fits[]{&smoother};
  if (!model.linked()) refine(fits, shifted, threads);
  return smoother;
}

}  // namespace kore
