#include "story/effects_json.hpp"

#include <cmath>

namespace kore::story {
namespace {

/// Numbers, or the names of levels.
Json points_json(const EffectGrid& grid, std::size_t feature) {
  if (grid.levels[feature].empty()) return grid.coordinates[feature];
  Json names = Json::array();
  for (std::size_t i = 0; i < grid.values.size(); ++i) names.push_back(grid.text(feature, i));
  return names;
}

/// Standard errors, and the band that has the curve with 95 % confidence at each point.
void add_band(const EffectGrid& grid, Json& term) {
  Json lower = Json::array();
  Json upper = Json::array();
  for (std::size_t i = 0; i < grid.values.size(); ++i) {
    lower.push_back(grid.lower(i));
    upper.push_back(grid.upper(i));
  }
  term["standard_error"] = grid.errors;
  term["lower"] = std::move(lower);
  term["upper"] = std::move(upper);
}

}  // namespace

Json effects_json(const table::TableModel& fitted, const Decomposition& shown, const GridSize& size,
                  bool factors) {
  const Model& model = fitted.model;
  Json terms = Json::array();
  for (const std::size_t t : ranked_terms(shown)) {
    EffectGrid grid = effect_grid(fitted, shown, t, size);
    if (factors) grid = as_factors(std::move(grid));
    Json points = Json::array();
    for (std::size_t c = 0; c < grid.coordinates.size(); ++c) points.push_back(points_json(grid, c));
    terms.push_back({{"features", feature_names(shown, t)},
                     {"kind", effect_kind(shown, t)},
                     {"share", number(shown.effects[t].share)},
                     {"covariance_share", number(shown.effects[t].covariance_share)},
                     {"parameters", number(shown.effects[t].parameters)},
                     {"p_value", number(shown.effects[t].p_value)},
                     {"concurvity", number(shown.effects[t].concurvity)},
                     {"points", std::move(points)},
                     {"effect", grid.values}});
    if (!grid.errors.empty()) add_band(grid, terms.back());
  }
  const double constant = shown.constant;
  return {{"target", model.target},
          {"scale", word_for(model.target_scale)},
          {"factors", factors},
          {"purified", shown.purified},
          {"constant", number(factors ? std::exp(constant) : constant)},
          {"terms", std::move(terms)}};
}

}  // namespace kore::story
