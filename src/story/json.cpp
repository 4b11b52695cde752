#include "story/json.hpp"

#include <cmath>

#include "story/verdict.hpp"

namespace kore::story {
namespace {

Json features_json(const data::Encoding& encoding) {
  Json features = Json::array();
  for (const data::EncodedColumn& column : encoding.columns) {
    Json feature{{"name", column.name}, {"kind", kind_of(column)}};
    if (column.category) feature["levels"] = column.levels;
    features.push_back(std::move(feature));
  }
  return features;
}

Json pairs_json(const Model& model) {
  Json pairs = Json::array();
  const auto& features = model.design.features();
  for (const auto& [i, j] : model.summary.pairs) pairs.push_back({features[i].name, features[j].name});
  return pairs;
}

Json effects_json(const Model& model) {
  Json effects = Json::array();
  for (std::size_t t = 0; t < model.effects.size(); ++t) {
    Json names = Json::array();
    for (const std::size_t j : model.design.terms()[t].features)
      names.push_back(model.design.features()[j].name);
    effects.push_back({{"features", std::move(names)},
                       {"share", number(model.effects[t].share)},
                       {"covariance_share", number(model.effects[t].covariance_share)}});
  }
  return effects;
}

}  // namespace

const char* kind_of(const data::EncodedColumn& column) {
  if (column.category) return "category";
  switch (column.type) {
    case data::ColumnType::boolean:
      return "boolean";
    case data::ColumnType::date:
      return "date";
    case data::ColumnType::timestamp:
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
  return {{"G_star", selection.resolution},
          {"G_dagger", number(selection.plug_in)},
          {"A_hat", number(selection.law.bias_scale)},
          {"tau_hat", number(selection.law.variance_scale)},
          {"loo", number(selection.loo)},
          {"fits", selection.fits},
          {"G_eff", selection.largest_stable},
          {"skipped", selection.skipped},
          {"pilots", selection.pilots},
          {"curve", std::move(curve)}};
}

Json diagnostic_json(const Diagnostic& diagnostic) {
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
  Json json = diagnostic_json(diagnosis.pilots);
  json["structure"] = to_string(diagnosis.structure);
  json["signal_score"] = number(diagnosis.signal_score);
  json["bracketed"] = diagnosis.bracketed;
  json["lift_over_linear"] = number(diagnosis.lift_over_linear);
  json["use_kore"] = diagnosis.use_kore;
  json["r2_loo"] = number(diagnosis.loo_r2);
  json["verdict"] = verdict(evidence_of(diagnosis)).sentence;
  return json;
}

Json fit_json(const data::TableModel& fitted) {
  const Model& model = fitted.model;
  const FitSummary& summary = model.summary;
  const bool has_families = summary.additive || summary.pairwise;
  Json families = Json::object();
  if (summary.additive) families["additive"] = selection_json(*summary.additive);
  if (summary.pairwise) {
    families["pairwise"] = selection_json(*summary.pairwise);
    families["pairwise"]["pairs"] = pairs_json(model);
  }
  return {{"profile", fitted.facts.profile},
          {"n", summary.rows},
          {"dropped_rows", fitted.facts.missing_target},
          {"weight", number(summary.weight)},
          {"target", model.target},
          {"seconds", number(fitted.facts.seconds)},
          {"structure", to_string(summary.structure)},
          {"G", summary.resolution},
          {"fits", summary.fits},
          {"loo", number(summary.loo)},
          {"r2_loo", number(summary.loo_r2())},
          {"signal_score", number(summary.signal_score)},
          {"features", features_json(fitted.encoding)},
          {"effects", effects_json(model)},
          {"families", std::move(families)},
          {"diagnostic", summary.diagnostic ? diagnostic_json(*summary.diagnostic) : Json(nullptr)},
          {"verdict", has_families ? Json(verdict(evidence_of(summary)).sentence) : Json(nullptr)},
          {"notes", fitted.facts.notes}};
}

}  // namespace kore::story
