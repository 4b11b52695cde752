#include "story/json.hpp"

#include <array>
#include <cmath>
#include <span>

#include "story/accuracy.hpp"
#include "story/cost.hpp"
#include "story/growth.hpp"
#include "story/verdict.hpp"

namespace kore::story {
namespace {

Json features_json(const table::TableModel& fitted) {
  Json features = Json::array();
  for (const table::EncodedColumn& column : fitted.encoding.columns) {
    Json feature{{"name", column.name}, {"kind", kind_of(column)}};
    if (column.category) feature["levels"] = column.levels;
    features.push_back(std::move(feature));
  }
  for (std::size_t j = 0; j < fitted.encoding.features.size(); ++j) {
    const Feature& feature = fitted.model.design.features()[j];
    if (feature.cyclic)
      features[fitted.encoding.features[j].column]["period"] = feature.range.highest - feature.range.lowest;
  }
  return features;
}

Json names_json(const Model& model, std::span<const std::size_t> features) {
  Json names = Json::array();
  for (const std::size_t j : features) names.push_back(model.design.features()[j].name);
  return names;
}

Json pairs_json(const Model& model) {
  Json pairs = Json::array();
  for (const auto& [i, j] : model.summary.pairs) pairs.push_back(names_json(model, std::array{i, j}));
  return pairs;
}

Json effects_json(const Model& model) {
  Json effects = Json::array();
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    const Term& term = model.design.terms()[t];
    effects.push_back({{"features", names_json(model, term.features)},
                       {"resolutions", term.resolutions},
                       {"share", number(model.effects[t].share)},
                       {"covariance_share", number(model.effects[t].covariance_share)},
                       {"parameters", number(model.effects[t].parameters)},
                       {"p_value", number(model.effects[t].p_value)},
                       {"concurvity", number(model.effects[t].concurvity)}});
  }
  return effects;
}

/// Nothing where the terms as fitted are what is shown.
Json purified_json(const Model& model) {
  if (!model.purified) return nullptr;
  Json effects = Json::array();
  for (std::size_t t = 0; t < model.purified->effects.size(); ++t) {
    const ShownTerm& term = model.purified->terms[t];
    const Effect& effect = model.purified->effects[t];
    effects.push_back({{"features", names_json(model, term.features)},
                       {"by_value", term.by_value},
                       {"share", number(effect.share)},
                       {"covariance_share", number(effect.covariance_share)}});
  }
  return {{"constant", number(model.purified->constant)}, {"effects", std::move(effects)}};
}

Json families_json(const Model& model) {
  const FitSummary& summary = model.summary;
  Json families = Json::object();
  if (summary.additive) families["additive"] = selection_json(*summary.additive);
  if (summary.pairwise) {
    families["pairwise"] = selection_json(*summary.pairwise);
    families["pairwise"]["pairs"] = pairs_json(model);
  }
  return families;
}

Json convergence_json(const FitSummary& summary) {
  if (!summary.convergence) return nullptr;
  const Convergence& convergence = *summary.convergence;
  const auto raised = [](double ridge) { return ridge > 0 ? number(ridge) : Json(nullptr); };
  return {{"settled", convergence.settled},
          {"steps", convergence.steps},
          {"ridge", raised(convergence.raised_ridge)},
          {"weight_ridge", raised(convergence.raised_weight_ridge)},
          {"unsettled_rivals", convergence.unsettled_rivals}};
}

Json robust_json(const FitSummary& summary) {
  if (!summary.robust) return nullptr;
  const RobustFit& robust = *summary.robust;
  return {{"scale", number(robust.scale)},
          {"rows", robust.rows},
          {"discounted", robust.discounted},
          {"r2", number(robust.r2)},
          {"settled", robust.settled}};
}

/// How well the distribution of a family fits; null for the normal one.
Json family_json(const Accuracy& accuracy) {
  if (!accuracy.family) return nullptr;
  const FamilyAccuracy& family = *accuracy.family;
  return {{"deviance", number(family.deviance)},
          {"null_deviance", number(family.null_deviance)},
          {"deviance_explained", number(family.explained())},
          {"dispersion", number(family.dispersion)},
          {"log_loss", number(family.log_loss)},
          {"brier", number(family.brier)},
          {"auc", number(family.auc)}};
}

Json by_prediction_json(const Accuracy& accuracy) {
  Json groups = Json::array();
  for (const PredictionGroup& group : accuracy.by_prediction)
    groups.push_back({{"rows", number(group.weight)},
                      {"predicted", number(group.predicted)},
                      {"observed", number(group.observed)},
                      {"low", number(group.low)},
                      {"high", number(group.high)},
                      {"rmse", number(group.rmse)},
                      {"covered", number(group.covered)}});
  return groups;
}

Json accuracy_json(const FitSummary& summary) {
  if (!summary.accuracy) return nullptr;
  const Accuracy& accuracy = *summary.accuracy;
  return {{"rmse", number(accuracy.rmse)},
          {"mae", accuracy.mae > 0 || accuracy.rmse == 0 ? number(accuracy.mae) : Json(nullptr)},
          {"r2", number(accuracy.r2)},
          {"how", how_measured(accuracy)},
          {"rows", accuracy.rows},
          {"folds", accuracy.folds},
          {"terms_stay", accuracy.terms_stay},
          {"groups", accuracy.groups},
          {"signal_score", number(accuracy.signal_score)},
          {"gross_errors", accuracy.gross_errors},
          {"by_prediction", by_prediction_json(accuracy)},
          {"family", family_json(accuracy)}};
}

Json stages_json(const FitSummary& summary) {
  Json stages = Json::array();
  for (const StageSummary& stage : summary.stages)
    stages.push_back({{"structure", to_string(stage.structure)},
                      {"penalised", stage.penalised},
                      {"lines", stage.lines},
                      {"by_value", stage.by_value},
                      {"terms", stage.terms},
                      {"columns", stage.columns},
                      {"parameters", number(stage.parameters)},
                      {"loo", number(stage.loo)},
                      {"price", number(stage.price)},
                      {"unseen", number(stage.unseen_loss)},
                      {"unseen_error", number(stage.unseen_error)},
                      {"few_terms", stage.few_terms},
                      {"shrinkage", number(stage.shrinkage)},
                      {"chosen", stage.chosen},
                      {"all_rows_loo", number(stage.all_rows_loo)}});
  return stages;
}

/// Rows are counted from 0, as programs count.
Json influential_json(const Model& model) {
  Json rows = Json::array();
  for (const InfluentialRow& row : model.summary.influential_rows)
    rows.push_back({{"row", row.row},
                    {"leverage", number(row.leverage)},
                    {"features", names_json(model, row.features)},
                    {"values", row.values}});
  return {{"count", model.summary.influential_count}, {"rows", std::move(rows)}};
}

Json screened_json(const Model& model) {
  Json screened = Json::array();
  for (const ScreenedTerm& term : model.summary.screened)
    screened.push_back(
        {{"features", names_json(model, term.features)}, {"gain", number(term.gain)}, {"kept", term.kept}});
  return screened;
}

Json forecast_json(const Model& model) {
  Json forecast = Json::array();
  for (const DataForecast& point : forecasts(model))
    forecast.push_back(
        {{"factor", point.factor}, {"G", number(point.resolution)}, {"excess", number(point.excess)}});
  return forecast;
}

}  // namespace

const char* kind_of(const table::EncodedColumn& column) {
  if (column.category) return "category";
  switch (column.type) {
    case table::ColumnType::boolean:
      return "boolean";
    case table::ColumnType::date:
      return "date";
    case table::ColumnType::timestamp:
      return "timestamp";
    default:
      return "number";
  }
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json selection_json(const Selection& selection) {
  Json curve = Json::array();
  for (const auto& [g, score] : selection.curve)
    curve.push_back({{"G", g}, {"p", score.p}, {"loo", number(score.loo)}});
  Json json{{"G_star", selection.resolution},
            {"G_dagger", number(selection.plug_in)},
            {"A_hat", number(selection.law.bias_scale)},
            {"tau_hat", number(selection.law.variance_scale)},
            {"loo", number(selection.loo)},
            {"fits", selection.fits},
            {"G_eff", selection.largest_stable},
            {"skipped", selection.skipped},
            {"pilots", selection.pilots},
            {"curve", std::move(curve)}};
  if (selection.plug_in_high > 0)
    json["G_dagger_interval"] = {number(selection.plug_in_low), number(selection.plug_in_high)};
  return json;
}

Json pilot_check_json(const PilotCheck& diagnostic) {
  return {{"suitable", diagnostic.suitable},
          {"reason", diagnostic.reason},
          {"n", number(diagnostic.n)},
          {"d_onehot", diagnostic.features},
          {"effective_density", number(diagnostic.effective_density)},
          {"pilot_condition_number", number(diagnostic.condition_number)},
          {"A_hat", number(diagnostic.law.bias_scale)},
          {"tau_hat", number(diagnostic.law.variance_scale)},
          {"G_dagger", number(diagnostic.plug_in)},
          {"stability_margin", number(diagnostic.stability_margin)},
          {"recommendation", diagnostic.recommendation},
          {"advice", diagnostic.advice}};
}

Json diagnosis_json(const Diagnosis& diagnosis) {
  const FitSummary& summary = diagnosis.summary;
  Json json = pilot_check_json(diagnosis.pilots);
  json["advice"] = diagnosis.advice;
  json["structure"] = to_string(summary.structure);
  json["signal_score"] = number(summary.signal_score);
  json["additive_signal_score"] = number(diagnosis.additive_signal_score);
  json["bracketed"] = diagnosis.bracketed;
  json["lift_over_linear"] = number(diagnosis.lift_over_linear);
  json["use_kore"] = diagnosis.use_kore;
  json["accuracy"] = accuracy_json(summary);
  json["robust"] = robust_json(summary);
  json["r2_loo"] = number(summary.loo_r2());
  const Verdict answer = verdict(evidence_of(diagnosis));
  json["verdict"] = answer.sentence;
  // The published keys speak of the pilots alone. Where penalties were solved for, these say nothing about
  // the fit, and the verdict answers in their place.
  if (!summary.stages.empty()) {
    json["pilots_suitable"] = diagnosis.pilots.suitable;
    json["pilots_reason"] = diagnosis.pilots.reason;
    json["suitable"] = answer.answer == Verdict::Answer::yes;
    json["reason"] = answer.sentence;
    json["use_kore"] = json["suitable"];
  }
  return json;
}

Json fit_json(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  const FitSummary& summary = model.summary;
  const bool has_families = summary.additive || summary.pairwise;
  return {{"profile", fitted.facts.profile},
          {"family", model.family},
          {"family_parameter", model.family_parameter > 0 ? number(model.family_parameter) : Json(nullptr)},
          {"overdispersion", number(summary.overdispersion)},
          {"null_deviance", summary.null_deviance ? number(*summary.null_deviance) : Json(nullptr)},
          {"target_levels", fitted.facts.target_levels},
          {"exposure", fitted.facts.exposure.empty() ? Json(nullptr) : Json(fitted.facts.exposure)},
          {"offset", fitted.facts.offset.empty() ? Json(nullptr) : Json(fitted.facts.offset)},
          {"n", summary.rows},
          {"dropped_rows", fitted.facts.missing_target},
          {"weight", number(summary.weight_sum)},
          {"target", model.target},
          {"scale", word_for(model.target_scale)},
          {"seconds", number(fitted.facts.seconds)},
          {"phases", phases_json(fitted.facts.phases)},
          {"accuracy", accuracy_json(summary)},
          {"loss", summary.robust ? "robust" : "squared"},
          {"robust", robust_json(summary)},
          {"equal_rows", summary.equal_rows},
          {"structure", to_string(summary.structure)},
          {"G", summary.resolution},
          {"fits", summary.fits},
          {"loo", number(summary.loo)},
          {"r2_loo", number(summary.loo_r2())},
          {"signal_score", number(summary.signal_score)},
          {"columns", model.design.columns()},
          {"parameters", number(summary.parameters)},
          {"penalised", !model.penalty_weights.empty()},
          {"noise", summary.stages.empty() ? Json(nullptr) : number(summary.noise_variance)},
          {"features", features_json(fitted)},
          {"effects", effects_json(model)},
          {"purified", purified_json(model)},
          {"families", families_json(model)},
          {"stages", stages_json(summary)},
          {"simple", summary.simplest},
          {"max_terms", summary.max_terms},
          {"structure_rows", summary.stages.empty() ? summary.rows : summary.structure_rows},
          {"screened", screened_json(model)},
          {"convergence", convergence_json(summary)},
          {"influential_rows", influential_json(model)},
          {"forecast", forecast_json(model)},
          {"diagnostic", summary.pilot_check ? pilot_check_json(*summary.pilot_check) : Json(nullptr)},
          {"verdict", has_families ? Json(verdict(evidence_of(model)).sentence) : Json(nullptr)},
          {"notes", fitted.facts.notes}};
}

}  // namespace kore::story
