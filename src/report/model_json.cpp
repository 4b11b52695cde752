#include "report/model_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "report/drawing.hpp"
#include "report/family_words.hpp"
#include "report/numbers.hpp"
#include "story/effect_grid.hpp"
#include "story/family.hpp"
#include "story/json.hpp"

namespace kore::report {
namespace {

const char* name_of(Extrapolation extrapolation) {
  constexpr std::array names{"polynomial", "linear", "constant", "error"};
  return names.at(static_cast<std::size_t>(extrapolation));
}

const char* name_of(table::EncodedKind kind) {
  constexpr std::array names{"numeric", "indicator", "missing_flag", "category"};
  return names.at(static_cast<std::size_t>(kind));
}

/// The value that a control starts with: the median, the most frequent level if known, or the first.
Json start_of(const Subject& subject, std::size_t column) {
  const table::EncodedColumn& of = subject.fitted.encoding.columns[column];
  if (!of.category)
    return of.type == table::ColumnType::boolean ? Json(of.median > 0.5 ? 1 : 0) : Json(of.median);
  if (of.levels.empty()) return nullptr;
  const auto& features = subject.fitted.encoding.features;
  for (std::size_t j = 0; j < features.size() && subject.observed != nullptr; ++j)
    if (features[j].column == column && features[j].kind == table::EncodedKind::category) {
      const std::vector<double>& counts = subject.observed->data[j].counts;
      const auto end =
          counts.begin() + static_cast<std::ptrdiff_t>(std::min(counts.size(), of.levels.size()));
      const auto most = std::max_element(counts.begin(), end);
      if (most != end) return of.levels[static_cast<std::size_t>(most - counts.begin())];
    }
  return of.levels.front();
}

/// The importance of a column: the sum of the shares of all terms that it is part of.
double share_of(const table::TableModel& fitted, const Decomposition& shown, std::size_t column) {
  double share = 0;
  for (std::size_t t = 0; t < shown.effects.size(); ++t) {
    const std::vector<std::size_t>& features = shown.terms[t].features;
    if (std::ranges::any_of(features,
                            [&](std::size_t j) { return fitted.encoding.features[j].column == column; }))
      share += shown.effects[t].share;
  }
  return share;
}

/// The feature that has the numbers of a column.
std::optional<std::size_t> numeric_feature(const table::Encoding& encoding, std::size_t column) {
  for (std::size_t j = 0; j < encoding.features.size(); ++j)
    if (encoding.features[j].column == column && encoding.features[j].kind == table::EncodedKind::numeric)
      return j;
  return std::nullopt;
}

/// Whether a column has whole numbers only, as far as rows tell; without rows, as its ends and its middle do.
bool is_whole(const Subject& subject, std::size_t column) {
  const table::EncodedColumn& of = subject.fitted.encoding.columns[column];
  const auto feature = numeric_feature(subject.fitted.encoding, column);
  if (of.category || of.type != table::ColumnType::number || !feature) return false;
  if (subject.observed != nullptr) return subject.observed->samples[*feature].whole;
  const Range& range = subject.fitted.model.design.features()[*feature].range;
  const auto whole = [](double value) { return value == std::round(value); };
  return whole(range.lowest) && whole(range.highest) && whole(of.median);
}

bool has_years(const Subject& subject, std::size_t column) {
  const auto feature = numeric_feature(subject.fitted.encoding, column);
  return feature &&
         are_years(subject.fitted.model.design.features()[*feature], units_of(subject.fitted, *feature));
}

/// What the table has in a column, from the features of a row.
Json column_value(const table::Encoding& encoding, std::size_t column, const std::vector<double>& row) {
  const table::EncodedColumn& of = encoding.columns[column];
  Json value;
  for (std::size_t j = 0; j < encoding.features.size(); ++j) {
    const table::EncodedFeature& feature = encoding.features[j];
    if (feature.column != column) continue;
    switch (feature.kind) {
      case table::EncodedKind::missing_flag:
        if (row[j] == 1) return nullptr;
        break;
      case table::EncodedKind::numeric:
        value = row[j];
        break;
      case table::EncodedKind::indicator:
        if (row[j] == 1 && feature.level < of.levels.size()) value = of.levels[feature.level];
        break;
      case table::EncodedKind::category: {
        const auto place = static_cast<std::size_t>(std::max(row[j], 0.0));
        if (place < of.levels.size())
          value = of.levels[place];
        else if (!(of.has_missing && place == of.levels.size()) && !of.rare.empty())
          value = of.rare.front();  // one of those that count as "(other)"
        break;
      }
    }
  }
  return value;
}

/// Rows to start from: those with the largest errors, and some of all.
Json rows_json(const Subject& subject) {
  Json rows = Json::array();
  if (subject.observed == nullptr) return rows;
  const table::Encoding& encoding = subject.fitted.encoding;
  const auto add = [&](const LargeError& row, bool large) {
    Json values = Json::array();
    for (std::size_t c = 0; c < encoding.columns.size(); ++c)
      values.push_back(column_value(encoding, c, row.features));
    rows.push_back({{"row", row.row},
                    {"observed", row.observed},
                    {"predicted", row.predicted},
                    {"large", large},
                    {"values", std::move(values)}});
  };
  for (const LargeError& row : subject.observed->largest) add(row, true);
  for (const LargeError& row : subject.observed->examples) add(row, false);
  return rows;
}

/// How the table wrote false and true; null for other columns.
Json words_json(const table::TableModel& fitted, const table::EncodedColumn& column) {
  if (column.type != table::ColumnType::boolean || column.category) return nullptr;
  const table::BooleanWords words = fitted.facts.words_of(column.name);
  return {words.no, words.yes};
}

Json columns_json(const Subject& subject) {
  Json columns = Json::array();
  const table::Encoding& encoding = subject.fitted.encoding;
  for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
    const table::EncodedColumn& column = encoding.columns[c];
    columns.push_back({{"name", column.name},
                       {"kind", story::kind_of(column)},
                       {"words", words_json(subject.fitted, column)},
                       {"median", column.median},
                       {"levels", column.levels},
                       {"rare", column.rare},
                       {"has_other", column.has_other},
                       {"has_missing", column.has_missing},
                       {"missing_share", column.missing_share},
                       {"whole", is_whole(subject, c)},
                       {"years", has_years(subject, c)},
                       {"start", start_of(subject, c)},
                       {"share", share_of(subject.fitted, subject.shown, c)}});
  }
  return columns;
}

const char* name_of(BasisArgument argument) {
  constexpr std::array names{"warped", "plain", "place", "around"};
  return names[static_cast<std::size_t>(argument)];
}

Json features_json(const table::TableModel& fitted) {
  Json features = Json::array();
  for (std::size_t j = 0; j < fitted.encoding.features.size(); ++j) {
    const table::EncodedFeature& encoded = fitted.encoding.features[j];
    const Feature& feature = fitted.model.design.features()[j];
    Json json{
        {"kind", name_of(encoded.kind)},
        {"column", encoded.column},
        {"level", encoded.level},
        {"lowest", feature.range.lowest},
        {"highest", feature.range.highest},
        {"spread", feature.kind != FeatureKind::category && !feature.cyclic &&
                       feature.range.lowest < feature.range.highest},
        {"widening", j < fitted.model.widening_rates.size() ? Json(fitted.model.widening_rates[j]) : Json(0)},
        {"warp", nullptr},
        {"repeated", feature.repeated}};
    if (!feature.warp.identity())
      json["warp"] = {{"nodes", feature.warp.nodes}, {"values", feature.warp.values}};
    features.push_back(std::move(json));
  }
  return features;
}

/// The parts of all effects; those of one effect have its name. They add up to the prediction as the terms
/// as fitted do, to rounding.
Json terms_json(const Decomposition& shown) {
  Json terms = Json::array();
  const Design& design = shown.design;
  for (std::size_t t = 0; t < shown.terms.size(); ++t)
    for (const std::size_t part : shown.terms[t].parts) {
      Json bases = Json::array();
      for (std::size_t c = 0; c < design.terms()[part].order(); ++c) {
        const UniformBasis& basis = design.basis(part, c);
        bases.push_back({{"first", basis.knots().first},
                         {"last", basis.knots().last},
                         {"intervals", basis.knots().intervals},
                         {"degree", basis.degree()},
                         {"argument", name_of(design.marginals()[design.term_marginals(part)[c]].argument)},
                         {"constant", basis.constant()}});
      }
      const auto own =
          std::span(shown.coefficients).subspan(design.raw_offset(part), design.raw_term_columns(part));
      terms.push_back({{"name", story::term_name(shown, t)},
                       {"effect", t},
                       {"features", design.terms()[part].features},
                       {"bases", std::move(bases)},
                       {"coefficients", std::vector<double>(own.begin(), own.end())}});
    }
  return terms;
}

/// Infinite ones, which JSON does not have, are null.
Json limits_json(const Range& limits) {
  const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"lowest", end(limits.lowest)}, {"highest", end(limits.highest)}};
}

/// What turns the sum of the terms into a mean.
const char* link_of(const Model& model) {
  return !model.linked() ? "identity" : model.family == "binomial" ? "logit" : "log";
}

}  // namespace

Json model_json(const Subject& subject) {
  const Model& model = subject.fitted.model;
  Json story = story::fit_json(subject.fitted);
  for (Json& note : story["notes"]) note = without_folders(note.get<std::string>());
  return {{"story", std::move(story)},
          {"target", model.target},
          {"extrapolation", name_of(model.extrapolation)},
          {"intercept", subject.shown.constant},
          {"limits", limits_json(model.prediction_limits)},
          {"scale", word_for(model.target_scale)},
          {"family", model.family},
          {"family_parameter", model.family_parameter},
          {"link", link_of(model)},
          {"target_levels", story::target_words(subject.fitted)},
          {"exposure", subject.fitted.facts.exposure},
          {"mean_shift", {{"places", model.mean_shift.places}, {"shifts", model.mean_shift.shifts}}},
          {"n", rows_behind_intervals(model)},
          {"error", model.summary.accuracy ? Json(model.summary.accuracy->rmse) : Json(0)},
          {"rows", rows_json(subject)},
          {"columns", columns_json(subject)},
          {"features", features_json(subject.fitted)},
          {"terms", terms_json(subject.shown)},
          {"residual_quantiles", model.residual_quantiles},
          {"intervals", has_intervals(subject.fitted)},
          {"overdispersion", model.summary.overdispersion},
          {"residual_spread",
           {{"predictions", model.residual_spread.predictions}, {"scales", model.residual_spread.scales}}}};
}

}  // namespace kore::report
