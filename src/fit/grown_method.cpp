#include <algorithm>
#include <array>
#include <tuple>

#include "base/parallel.hpp"
#include "fit/bands.hpp"
#include "fit/carried_means.hpp"
#include "fit/centred_effects.hpp"
#include "fit/checked_fit.hpp"
#include "fit/diagnosis.hpp"
#include "fit/effects.hpp"
#include "fit/evidence.hpp"
#include "fit/grow_settings.hpp"
#include "fit/growing_rows.hpp"
#include "fit/grown_summary.hpp"
#include "fit/held_out.hpp"
#include "fit/influential_rows.hpp"
#include "fit/linked_model.hpp"
#include "fit/method.hpp"
#include "fit/prediction_groups.hpp"
#include "fit/purified_effects.hpp"
#include "fit/refereed.hpp"
#include "fit/robust_rows.hpp"
#include "fit/scale_search.hpp"
#include "fit/unpenalised_model.hpp"
#include "fit/widening_rates.hpp"
#include "grow/full_fit.hpp"
#include "kore/error.hpp"
#include "pass/shifted_source.hpp"
#include "select/dyadic.hpp"
#include "select/pilots.hpp"

namespace kore {
namespace {

struct Finished {
  const Smoother* smoother = nullptr;
  const NormalEquations* equations = nullptr;  // without penalties
  std::span<const GrownTerm> terms;
  PressSums press;
  double noise_variance = 0;
  double ridge = 0;
  std::vector<Effect> effects;
  std::vector<std::vector<double>> penalty_weights;
  std::vector<double> function_means = {};  // over the rows, where the response has a link
};

/// What the summary and the intervals say about errors on new rows, and what carries values back to means.
/// `found` is a Refereed or a LeftOutOfFit.
void record_errors(const auto& found, const Accuracy& accuracy, const GrowingRows& growing,
                   const Options& options, Model& model) {
  model.summary.accuracy = accuracy;
  model.family = growing.response().name();
  model.family_parameter = growing.response().parameter();
  model.mean_shift = found.mean_shift;
  if (options.held_out_rows) options.held_out_rows(found.rows);
  if (growing.noise_scale() > 0)
    model.summary.robust = robust_fit_of(found.rows, growing.noise_scale(), growing.settled());
  const double dispersion = options.grown().dispersion;
  if (model.family == "poisson") model.summary.overdispersion = growing.response().parameter() / dispersion;
  const bool by_errors = options.intervals && (!growing.linked() || model.family == gamma_response().name());
  record_intervals({found.rows, found.scaled_rows, dispersion != 1}, by_errors, model);
}

void record_errors_given_model(const LeftOutOfFit& left_out, const GrowingRows& growing,
                               const Options& options, Model& model) {
  Accuracy accuracy = accuracy_of(left_out.rows, growing.response());
  accuracy.signal_score = model.summary.signal_score;
  record_errors(left_out, accuracy, growing, options, model);
}

/// `distribution` are rows over which effects are purified: all of the fit, or the sample that decided.
Model assemble(Finished fit, FitSummary summary, const RowBlock& distribution, const Options& options,
               const Names& names) {
  const PhaseTimer timer(options.phases, "effects and bands");
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
  if (!fit.function_means.empty())
    centre_main_effects(fit.smoother->design(), fit.smoother->coefficients(), fit.function_means,
                        fit.effects);
  add_evidence(rows, loose, fit.effects);
  std::optional<Decomposition> purified = purified_effects(rows, loose, distribution, fit.effects);
  Model model{fit.smoother->design(),
              options.extrapolation,
              fit.smoother->intercept(),
              fit.smoother->coefficients(),
              names.target,
              std::move(fit.effects),
              std::move(fit.penalty_weights),
              std::move(summary),
              {},
              {},
              {}};
  model.purified = std::move(purified);
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

/// A grown model, the rows it was grown from, and what the referee says of it.
struct Grown {
  const GrowingRows& rows;
  const Growth& growth;
  const Refereed& refereed;

  bool constant() const { return refereed.chosen == std::size_t{0}; }
  const Stage& chosen() const { return growth.stages[growth.chosen]; }
};

/// The summary of how the model was found; the final fit adds its errors.
FitSummary summary_of(const Grown& grown, const Options& options) {
  const GrowingRows& rows = grown.rows;
  FitSummary summary;
  record_survey(rows, summary);
  record_growth(grown.growth, summary);
  if (grown.refereed.chosen) record_judgement(grown.growth, grown.refereed, rows.growing(), summary);
  record_convergence(grown.chosen().convergence, grown.growth, summary);
  summary.structure_rows = rows.deciding().rows();
  summary.equal_rows = rows.equal_rows();
  summary.simplest = options.grown().simplest;
  summary.max_terms = static_cast<std::size_t>(options.grown().max_terms);
  summary.pilot_check = pilot_check_of(rows.growing(), grown.growth, options, summary.structure);
  return summary;
}

/// Rows whose leverage is near one. Their numbers need the rows in their order, so that another pass is made
/// where there are any.
void find_influential(const Grown& grown, const RowSource& source, FitSummary& summary) {
  const Stage& chosen = grown.chosen();
  if (!(chosen.press.max_leverage > near_one_leverage)) return;
  const ShiftedSource shifted(source, grown.rows.target_shift());
  const Smoother* const fits[]{chosen.smoother.get()};
  PressPass pass(fits);
  shifted.run(pass, grown.rows.growing().threads);
  record_influential(pass.high_leverages().front(), chosen.function->design.features(),
                     grown.rows.growing().rows, summary);
}

/// Under the robust loss rows that do not count in the fit have errors too.
LeftOutOfFit left_out_rows(const GrowingRows& rows, const Smoother& fit) {
  const RowBlock& growing = rows.growing().rows;
  return rows.noise_scale() > 0 ? left_out_of(fit, rows, rows.deciding(), rows.fitted_counts())
                                : left_out_of(fit, rows, growing, growing.weights);
}

/// The model of the chosen stage, where all rows decided.
Model finish_stage(const Grown& grown, const RowSource& source, const Options& options, const Names& names) {
  const Stage& chosen = grown.chosen();
  const GrowingData& growing = grown.rows.growing();
  const NormalEquations equations = equations_of(at_stage(growing, chosen), chosen.function->design);
  Finished fit{chosen.smoother.get(),
               &equations,
               chosen.terms,
               chosen.press,
               chosen.noise_variance,
               chosen.ridge,
               effects_of_rows(*chosen.smoother, growing.rows, growing.threads),
               weights_of(chosen.terms, grown.growth.penalised)};
  if (grown.rows.linked())
    fit.function_means = function_means(chosen.function->design, growing.rows, growing.threads);
  Model model = assemble(std::move(fit), summary_of(grown, options), growing.rows, options, names);
  if (grown.refereed.chosen)
    record_errors(grown.refereed, grown.refereed.accuracy, grown.rows, options, model);
  else
    record_errors_given_model(left_out_rows(grown.rows, *chosen.smoother), grown.rows, options, model);
  find_influential(grown, source, model.summary);
  return model;
}

/// The errors of a long table: those of rows that took part in no choice, each left out of the final fit.
/// Where rows repeat, others with the same features would stay in that fit, and where there are groups,
/// others of the row's group; then the fit to the sample, which has none of them, predicts.
/// `weighing` is that of the fit under the robust loss, and otherwise null.
void record_errors_of_unseen(const Grown& grown, const Smoother& fit, const RowWeighing* weighing,
                             const Options& options, Model& model) {
  constexpr double few = 0.01;
  const GrowingRows& rows = grown.rows;
  const auto deciding = static_cast<double>(rows.deciding().rows());
  const bool repeat = rows.grouped() || static_cast<double>(rows.equal_rows()) > few * deciding;
  if (repeat && grown.refereed.chosen)
    return record_errors(grown.refereed, grown.refereed.accuracy, rows, options, model);
  const int threads = rows.growing().threads;
  WorkingMemory memory;
  if (weighing != nullptr) weighing->working_rows(rows.unseen(), threads, memory);
  const RowCounts counts = weighing != nullptr ? RowCounts(memory.weights) : rows.unseen().weights;
  const LeftOutOfFit unseen = left_out_of(fit, rows, rows.unseen(), counts);
  Accuracy accuracy = accuracy_of(unseen.rows, rows.response());
  accuracy.how = AccuracySource::unseen_rows;
  accuracy.signal_score =
      grown.refereed.chosen ? grown.refereed.accuracy.signal_score : model.summary.signal_score;
  record_errors(unseen, accuracy, rows, options, model);
}

/// Of the target of the fit.
double variance_of_target(const NormalEquations& equations) {
  const double mean = equations.target_sum / equations.weight_sum;
  return equations.target_squares / equations.weight_sum - mean * mean;
}

/// The model fitted to all rows, where a sample decided on the structure.
Model fit_to_all_rows(const Grown& grown, const GrownOptions& method, const RowSource& source,
                      const Options& options, const Names& names) {
  const GrowingRows& rows = grown.rows;
  const Survey& data = rows.data();
  FitSummary summary = summary_of(grown, options);
  const ShiftedSource shifted(source, rows.target_shift());
  const GrowOptions limits = grow_options(method, options, rows);
  CheckedFit checked =
      fit_and_check({rows, grown.growth, grown.refereed, limits.interactions_only}, shifted,
                    {data.rows, data.weight_sum, limits.max_resolution_main, limits.max_resolution_pair,
                     limits.max_columns, limits.interaction_columns},
                    summary);
  FullFit& full = checked.weighed.fit;
  record_terms(full.terms, summary);
  if (summary.scaled_variance)
    summary.scaled_variance = variance_of_target(full.equations) * rows.unit() * rows.unit();
  record_convergence(full.convergence, grown.growth, summary);
  Finished fit{&full.smoother,
               &full.equations,
               full.terms,
               full.press,
               full.noise_variance,
               full.ridge,
               effects_of(full.equations, full.smoother),
               weights_of(full.terms, checked.penalised)};
  if (rows.linked()) {
    // Shares are those of the rows too, as far as the sample tells; working weights would tell others.
    fit.effects = effects_of_rows(full.smoother, rows.growing().rows, rows.growing().threads);
    fit.function_means = function_means(full.smoother.design(), shifted, rows.growing().threads);
  }
  Model model = assemble(std::move(fit), std::move(summary), rows.growing().rows, options, names);
  record_influential(full.high_leverages, model.design.features(), rows.growing().rows, model.summary);
  const std::optional<RowWeighing>& weighing = checked.weighed.weighing;
  record_errors_of_unseen(grown, full.smoother, weighing ? &*weighing : nullptr, options, model);
  return model;
}

/// The mean, where no feature predicts left-out rows better by more than chance.
Model mean_of_rows(const Grown& grown, const Options& options, const Names& names) {
  const GrowingRows& rows = grown.rows;
  Model model = constant_model(rows.data(), options, names);
  model.intercept =
      rows.linked() ? rows.growing().constant_predictor : (rows.scaled_mean() - rows.shift()) / rows.unit();
  const Convergence convergence = *model.summary.convergence;
  model.summary = summary_of(grown, options);
  record_constant(rows, convergence, options, model.summary);
  record_errors(grown.refereed, grown.refereed.accuracy, rows, options, model);
  if (rows.scale() != TargetScale::identity)
    model.mean_shift = {{rows.scaled_mean()},
                        {to_scale(rows.scale(), rows.data().target_mean) - rows.scaled_mean()}};
  return model;
}

Model finish(const Grown& grown, const GrownOptions& method, const RowSource& source, const Options& options,
             const Names& names) {
  Model model = grown.constant()        ? mean_of_rows(grown, options, names)
                : grown.rows.complete() ? finish_stage(grown, source, options, names)
                                        : fit_to_all_rows(grown, method, source, options, names);
  rescale(model, grown.rows);
  model.target_scale = grown.rows.scale();
  model.widening_rates = widening_rates(model, grown.rows.growing().rows);
  return model;
}

/// Makes the referee's choice that of the growth. The constant is not a stage, and leaves it as it is.
void follow(const Refereed& refereed, const GrowingData& data, const GrowOptions& choices, Growth& growth) {
  if (!refereed.chosen || *refereed.chosen == 0) return;
  const Candidate& candidate = candidates()[*refereed.chosen];
  const auto stage = std::ranges::find(growth.stages, candidate.kind, &Stage::kind);
  growth.chosen = static_cast<std::size_t>(stage - growth.stages.begin());
  if (candidate.shrinkage != 1) {
    growth.stages.push_back(fit_shrunk(data, *stage, candidate.shrinkage));
    growth.chosen = growth.stages.size() - 1;
    ++growth.fits;
    const Stage& shrunk = growth.stages.back();
    if (choices.progress) choices.progress(shrunk.order(), shrunk.resolution(shrunk.order()), shrunk);
  }
  growth.penalised = !growth.stages[growth.chosen].penalties.empty();
}

/// Fits the chosen stage in all of its columns, unless a fit to all rows follows or the mean was chosen.
void complete_choice(GrowingRows& rows, const Refereed& refereed, Growth& growth) {
  if (!rows.complete() || refereed.chosen == std::size_t{0}) return;
  Stage& chosen = growth.stages[growth.chosen];
  complete(rows.growing(), chosen);
  if (rows.noise_scale() > 0) settle(rows, chosen);
}

/// The LOO of the best straight lines, with a penalty or by least squares.
double lines_loo(const Grown& grown) {
  double best = linear_loo(grown.rows.growing());
  for (const Stage& stage : grown.growth.stages)
    if (stage.kind == StageKind::lines) best = std::min(best, stage.loo());
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
  check_target(method, surveyed.data, names);
  if (surveyed.constant_target() && method.family == Family::normal)
    return constant_model(surveyed.data, options, names);
  Search search(std::move(surveyed), method, options);
  if (search.rows().nothing_varies()) return model_without_features(search.rows(), source, options, names);
  check_groups(search.rows(), method.folds);
  search.grow_simplest();
  require_pairs(search.growth().stages[search.growth().chosen], options);
  const Refereed refereed = search.run();
  const Extrapolation outside = search.outside();
  const bool limited = search.limited();
  GrowingRows& rows = search.rows();
  Growth& growth = search.growth();
  follow(refereed, rows.growing(), search.choices(), growth);
  complete_choice(rows, refereed, growth);
  Model model = finish({rows, growth, refereed}, method, source, options, names);
  model.extrapolation = outside;
  if (rows.linked())
    model.prediction_limits = linked_limits(rows, limited);
  else if (limited)
    model.prediction_limits = prediction_limits(model.target_scale, rows.data().target);
  else if (model.target_scale != TargetScale::identity)
    model.prediction_limits.lowest = 0;
  return model;
}

Diagnosis diagnose_by(const GrownOptions& method, const RowSource& source, const Options& options,
                      const Names& names) {
  SurveyedRows surveyed = survey_for_growth(source, method, options, names);
  check_target(method, surveyed.data, names);
  if (surveyed.constant_target()) refuse_to_diagnose_a_constant_target();
  Search search(std::move(surveyed), method, options);
  if (search.rows().nothing_varies())
    throw Error(ErrorCode::invalid_data, "constant_features",
                "Every feature is constant: there is nothing to diagnose.");
  check_groups(search.rows(), method.folds);
  search.grow_simplest();
  const Refereed refereed = search.run();
  GrowingRows& rows = search.rows();
  Growth& growth = search.growth();
  follow(refereed, rows.growing(), search.choices(), growth);
  complete_choice(rows, refereed, growth);
  const Grown grown{rows, growth, refereed};
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
  compare_with_lines(diagnosis, grown.chosen().loo() * rows.unit() * rows.unit(), lines_loo(grown));
  return diagnosis;
}

}  // namespace kore
