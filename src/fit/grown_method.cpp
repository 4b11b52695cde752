#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/parallel.hpp"
#include "fit/bands.hpp"
#include "fit/diagnosis.hpp"
#include "fit/effects.hpp"
#include "fit/evidence.hpp"
#include "fit/growing_rows.hpp"
#include "fit/grown_summary.hpp"
#include "fit/method.hpp"
#include "fit/residual_quantiles.hpp"
#include "fit/unpenalised_model.hpp"
#include "grow/full_fit.hpp"
#include "kore/error.hpp"
#include "pass/shifted_source.hpp"
#include "select/dyadic.hpp"
#include "select/pilots.hpp"

namespace kore {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// How many columns interactions may have, so that rows times columns squared stay within the allowed work.
std::size_t affordable_interactions(const GrownOptions& method, const Survey& data) {
  const double columns = std::sqrt(method.interaction_work / static_cast<double>(data.rows));
  constexpr double beyond_any = 1e15;
  return method.interaction_work == 0 || columns > beyond_any ? no_limit : static_cast<std::size_t>(columns);
}

GrowOptions grow_options(const GrownOptions& method, const Options& options, const Survey& data) {
  GrowOptions grow;
  const bool no_pairs = options.structure == StructureChoice::additive ||
                        options.pair_choice == PairChoice::none ||
                        (options.pair_choice == PairChoice::given && options.pairs.empty());
  grow.max_order = no_pairs ? 1 : static_cast<std::size_t>(method.max_order);
  grow.given = options.pairs;
  grow.all_pairs = options.pair_choice == PairChoice::all;
  grow.interactions_only = options.structure == StructureChoice::pairwise;
  grow.max_resolution_main = options.max_resolution_additive;
  grow.max_resolution_pair = options.max_resolution_pairwise;
  grow.stability = options.stability;
  grow.max_columns = options.max_columns > 0 ? options.max_columns : no_limit;
  // A table that needs no sample is short enough for any interaction.
  if (data.rows > method.structure_rows) grow.interaction_columns = affordable_interactions(method, data);
  if (options.progress)
    grow.progress = [&options](std::size_t, int resolution, const Stage& stage) {
      options.progress(
          {structure_of(stage),
           resolution,
           {stage.smoother->design().columns(), stage.loo(), stage.press.loss, stage.press.max_leverage}});
    };
  return grow;
}

struct Finished {
  const Smoother* smoother = nullptr;
  const NormalEquations* equations = nullptr;  // without penalties
  std::span<const GrownTerm> terms;
  PressSums press;
  double noise_variance = 0;
  double ridge = 0;
  std::vector<Effect> effects;
  std::vector<double> quantiles;
  std::vector<std::vector<double>> penalty_weights;
};

Model assemble(Finished fit, FitSummary summary, double unit, const Options& options, const Names& names) {
  record_fit(fit.press, fit.ridge, options.relative_ridge, summary);
  summary.noise_variance = fit.noise_variance;
  const FitInRows rows{*fit.smoother,
                       *fit.equations,
                       fit.terms,
                       !fit.penalty_weights.empty(),
                       fit.noise_variance,
                       fit.ridge,
                       options.relative_ridge,
                       resolve_threads(options.threads)};
  const LooseFit loose = loosen(rows);
  add_bands(rows, loose, fit.effects);
  add_evidence(rows, loose, fit.effects);
  Model model{fit.smoother->design(),
              options.extrapolation,
              fit.smoother->intercept() * unit + summary.target_shift,
              fit.smoother->coefficients(),
              names.target,
              std::move(fit.effects),
              std::move(fit.penalty_weights),
              std::move(summary),
              std::move(fit.quantiles),
              {}};
  rescale(model, unit);
  return model;
}

PilotCheck pilot_check_of(const GrowingData& data, const Growth& growth, const Options& options,
                          Structure structure) {
  return check_dyadic_pilots(growth.additive, growth.additive_size, weight_sum_of(data.rows),
                             options.stability, data.features.size(), structure);
}

void require_pairs(const Stage& chosen, const Options& options) {
  if (options.structure == StructureChoice::pairwise && chosen.order() < 2)
    throw Error(ErrorCode::invalid_data, "no_pair_found",
                "No pair of features was found: every pair vanishes under its penalty, or the rows are too "
                "few to tell.");
}

std::vector<std::vector<double>> weights_of(std::span<const GrownTerm> terms, bool penalised) {
  std::vector<std::vector<double>> weights;
  for (const GrownTerm& grown : terms)
    if (penalised) weights.push_back(grown.weights);
  return weights;
}

/// A grown model, and the rows it was grown from.
struct Grown {
  const GrowingRows& rows;
  const Growth& growth;

  const Stage& chosen() const { return growth.stages[growth.chosen]; }
};

/// The summary of how the model was found; the final fit adds its errors.
FitSummary summary_of(const Grown& grown, const Options& options) {
  const GrowingRows& rows = grown.rows;
  FitSummary summary;
  record_survey(rows.data(), rows.shift(), summary);
  record_growth(grown.growth, summary);
  record_convergence(grown.chosen().convergence, grown.growth, summary);
  summary.structure_rows = rows.growing().rows.rows();
  summary.pilot_check = pilot_check_of(rows.growing(), grown.growth, options, summary.structure);
  return summary;
}

/// The model of the chosen stage, where all rows decided.
Model finish_stage(const Grown& grown, const Options& options, const Names& names) {
  const Stage& chosen = grown.chosen();
  const GrowingData& growing = grown.rows.growing();
  const NormalEquations equations = equations_of(growing, chosen.smoother->design());
  Finished fit{chosen.smoother.get(),
               &equations,
               chosen.terms,
               chosen.press,
               chosen.noise_variance,
               chosen.ridge,
               effects_of_rows(*chosen.smoother, growing.rows, growing.threads),
               {},
               weights_of(chosen.terms, grown.growth.penalised)};
  if (options.intervals) fit.quantiles = residual_quantiles(chosen.loo_residuals, growing.rows);
  return assemble(std::move(fit), summary_of(grown, options), grown.rows.unit(), options, names);
}

/// The model fitted to all rows, where a sample decided on the structure.
Model fit_to_all_rows(const Grown& grown, const GrownOptions& method, const RowSource& source,
                      const Options& options, const Names& names) {
  const GrowingRows& rows = grown.rows;
  const Survey& data = rows.data();
  FitSummary summary = summary_of(grown, options);
  const ShiftedSource shifted(source, rows.shift(), rows.unit());
  const GrowOptions limits = grow_options(method, options, data);
  FullFit full = fit_all_rows(rows.growing(), grown.chosen(), grown.growth.penalised, shifted,
                              {data.rows, data.weight_sum, limits.max_resolution_main, limits.max_columns,
                               options.intervals ? residual_step(data.rows) : 0});
  record_terms(full.terms, summary);
  record_convergence(full.convergence, grown.growth, summary);
  Finished fit{&full.smoother,
               &full.equations,
               full.terms,
               full.press,
               full.noise_variance,
               full.ridge,
               effects_of(full.equations, full.smoother),
               {},
               weights_of(full.terms, grown.growth.penalised)};
  if (options.intervals) fit.quantiles = residual_quantiles(std::move(full.residuals));
  return assemble(std::move(fit), std::move(summary), rows.unit(), options, names);
}

Model finish(const Grown& grown, const GrownOptions& method, const RowSource& source, const Options& options,
             const Names& names) {
  return grown.rows.complete() ? finish_stage(grown, options, names)
                               : fit_to_all_rows(grown, method, source, options, names);
}

/// The LOO of the best straight lines, with a penalty or by least squares.
double lines_loo(const Grown& grown, const FitSummary& summary) {
  double best = linear_loo(grown.rows.growing());
  for (std::size_t i = 0; i < summary.stages.size(); ++i)
    if (summary.stages[i].lines) best = std::min(best, grown.growth.stages[i].loo());
  return best * grown.rows.unit() * grown.rows.unit();
}

/// The chosen stage, or the best without interactions.
const Stage& main_effects(const Grown& grown) {
  if (grown.chosen().order() == 1) return grown.chosen();
  return *std::ranges::min_element(
      grown.growth.stages, {}, [](const Stage& stage) { return std::tuple(stage.order() > 1, stage.loo()); });
}

}  // namespace

Model fit_by(const GrownOptions& method, const RowSource& source, const Options& options,
             const Names& names) {
  SurveyedRows surveyed = survey_for_growth(source, method, options, names);
  if (surveyed.constant_target()) return constant_model(surveyed.data, options, names);
  const GrowingRows rows(std::move(surveyed), method, options);
  if (rows.nothing_varies()) return mean_model(source, rows.data(), options, names);
  const Growth growth = grow(rows.growing(), grow_options(method, options, rows.data()));
  require_pairs(growth.stages[growth.chosen], options);
  return finish({rows, growth}, method, source, options, names);
}

Diagnosis diagnose_by(const GrownOptions& method, const RowSource& source, const Options& options,
                      const Names& names) {
  SurveyedRows surveyed = survey_for_growth(source, method, options, names);
  if (surveyed.constant_target()) refuse_to_diagnose_a_constant_target();
  const GrowingRows rows(std::move(surveyed), method, options);
  if (rows.nothing_varies())
    throw Error(ErrorCode::invalid_data, "constant_features",
                "Every feature is constant: there is nothing to diagnose.");
  const Growth growth = grow(rows.growing(), grow_options(method, options, rows.data()));
  const Grown grown{rows, growth};
  Options without_intervals = options;
  without_intervals.intervals = false;
  Diagnosis diagnosis;
  diagnosis.summary = finish(grown, method, source, without_intervals, names).summary;
  diagnosis.pilots = *diagnosis.summary.pilot_check;
  if (diagnosis.pilots.features > PilotCheck::most_features)
    diagnosis.advice.push_back(diagnosis.pilots.advice.front());
  diagnosis.additive_signal_score = main_effects(grown).press.signal_score();
  const auto& curve = growth.additive.curve;
  const int g = growth.additive.resolution;
  diagnosis.bracketed = std::ranges::none_of(std::array{g - 1, g + 1}, [&](int other) {
    return curve.contains(other) && curve.at(other).loo < curve.at(g).loo;
  });
  diagnosis.use_kore = diagnosis.additive_signal_score > 1 && diagnosis.bracketed;
  compare_with_lines(diagnosis, grown.chosen().loo() * rows.unit() * rows.unit(),
                     lines_loo(grown, diagnosis.summary));
  return diagnosis;
}

}  // namespace kore
