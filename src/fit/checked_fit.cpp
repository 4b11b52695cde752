#include "fit/checked_fit.hpp"

#include <limits>
#include <optional>

#include "fit/grown_summary.hpp"
#include "grow/candidates.hpp"
#include "grow/refinement.hpp"

namespace kore {
namespace {

constexpr double clearly_worse = 1.2;  // times the promised share of the variance
constexpr double worth_while = 0.99;   // another round of refinement only if the LOO fell below this share
constexpr int refinements = 3;
constexpr std::size_t most_refined_rows = 500'000;  // so that a table larger than memory is not read again

/// What rows outside the sample promise of a stage: its loss as a share of the constant's. NaN where none
/// judged it.
double promised_share(const SampledChoice& choice, const Stage& stage) {
  const std::span<const Candidate> all = candidates();
  for (std::size_t k = 0; k < all.size() && choice.refereed.chosen; ++k)
    if (all[k].kind == stage.kind && all[k].shrinkage == stage.shrinkage)
      return choice.refereed.mean_losses[k] / choice.refereed.mean_losses.front();
  return std::numeric_limits<double>::quiet_NaN();
}

/// Null where there is none.
const Stage* next_simpler(const SampledChoice& choice, const Stage& stage) {
  const std::size_t least_order = choice.interactions_only ? 2 : 1;
  const Stage* simpler = nullptr;
  for (const Stage& other : choice.growth.stages) {
    if (other.penalties.empty() || other.kind >= stage.kind || other.order() < least_order) continue;
    if (simpler == nullptr || other.kind > simpler->kind) simpler = &other;
  }
  return simpler;
}

/// The stage with the terms of its fit to all rows, those interactions finer that make use of their columns
/// there. Nothing where none may become finer.
std::optional<Stage> finer_stage(const SampledChoice& choice, const Stage& stage, const FullFit& fit,
                                 const FullFitLimits& limits) {
  const GrowingData& data = choice.rows.growing();
  Stage finer;
  finer.kind = stage.kind;
  finer.shrinkage = stage.shrinkage;
  finer.function = stage.function;
  finer.press = fit.press;
  finer.terms = fit.terms;
  bool any = false;
  const auto affordable = [&](std::span<const GrownTerm> terms) {
    return columns_of(data, terms) <= limits.max_columns &&
           interaction_columns(data, terms) <= limits.interaction_columns;
  };
  finer.terms =
      refined(data, finer, {limits.max_resolution_pair, limits.max_resolution_pair}, affordable, any);
  if (!any) return std::nullopt;
  return finer;
}

/// The sample has too few rows to tell how fine an interaction should be for all of them.
void refine_on_all_rows(const SampledChoice& choice, const Stage& stage, const RowSource& source,
                        const FullFitLimits& limits, CheckedFit& best) {
  if (!best.penalised || limits.rows > most_refined_rows) return;
  for (int round = 0; round < refinements; ++round) {
    const std::optional<Stage> finer = finer_stage(choice, stage, best.weighed.fit, limits);
    if (!finer) return;
    CheckedFit next{fit_weighed(choice.rows, *finer, true, source, limits), true};
    const double share = next.weighed.fit.press.loo() / best.weighed.fit.press.loo();
    if (share < 1) best = std::move(next);
    if (!(share < worth_while)) return;
  }
}

}  // namespace

CheckedFit fit_and_check(const SampledChoice& choice, const RowSource& source, const FullFitLimits& limits,
                         FitSummary& summary) {
  const PhaseTimer timer(choice.rows.growing().phases, "fit to all rows");
  const Growth& growth = choice.growth;
  const double unit = choice.rows.unit();
  const double variance = choice.rows.linked() ? constant_loss(choice.rows.growing())
                                               : choice.rows.scaled_variance() / (unit * unit);
  const std::size_t constants = summary.stages.size() - growth.stages.size();
  const auto record_of = [&](const Stage& stage) -> StageSummary& {
    return summary.stages[constants + static_cast<std::size_t>(&stage - growth.stages.data())];
  };
  const Stage* taken = &growth.stages[growth.chosen];
  CheckedFit best{fit_weighed(choice.rows, *taken, growth.penalised, source, limits), growth.penalised};
  const auto loo = [](const CheckedFit& checked) { return checked.weighed.fit.press.loo(); };
  record_of(*taken).all_rows_loo = loo(best);
  const Stage* tried = taken;
  while (!best.weighed.weighing && loo(best) > clearly_worse * promised_share(choice, *taken) * variance) {
    tried = next_simpler(choice, *tried);
    if (tried == nullptr) break;
    CheckedFit simpler{fit_weighed(choice.rows, *tried, true, source, limits), true};
    record_of(*tried).all_rows_loo = loo(simpler);
    if (!(loo(simpler) < loo(best))) continue;
    best = std::move(simpler);
    taken = tried;
  }
  refine_on_all_rows(choice, *taken, source, limits, best);
  record_of(*taken).all_rows_loo = loo(best);
  for (StageSummary& stage : summary.stages) stage.chosen = &stage == &record_of(*taken);
  return best;
}

}  // namespace kore
