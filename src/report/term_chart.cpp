#include "report/term_chart.hpp"

#include <algorithm>

#include "report/chart.hpp"
#include "report/numbers.hpp"
#include "report/units.hpp"

namespace kore::report {
namespace {

constexpr int level_height = 22;
constexpr int crowded_height = 14;
constexpr std::size_t roomy_levels = 15;
constexpr std::size_t most_levels = 60;
constexpr int chart_height = 210;
/// The data's density takes this part of a chart's height, at its foot.
constexpr double density_part = 0.22;

std::string effect_title(const std::string& target) {
  return target.empty() ? "effect" : "effect on " + shortened(target, 24);
}

/// An axis of effects that spans at least so much, around the values.
Json effect_axis(const char* field, const std::string& target, const std::vector<double>& values,
                 double least_span) {
  Json axis = linear(field, effect_title(target));
  const auto [lowest, highest] = std::ranges::minmax(values);
  const double lacking = least_span - (highest - lowest);
  if (lacking > 0) axis["scale"] = {{"domain", {lowest - lacking / 2, highest + lacking / 2}}};
  return axis;
}

Json density_layer(const DrawnCurve& curve) {
  Json rows = Json::array();
  double most = 0;
  for (std::size_t i = 0; i < curve.data.counts.size(); ++i) {
    most = std::max(most, curve.data.counts[i]);
    rows.push_back({{"x", in_units(curve.data.edges[i], curve.units)},
                    {"x_end", in_units(curve.data.edges[i + 1], curve.units)},
                    {"rows", rounded(curve.data.counts[i])}});
  }
  const Json y{{"field", "rows"},
               {"type", "quantitative"},
               {"axis", nullptr},
               {"scale", {{"domain", {0, most / density_part}}}}};
  return layer(
      {{"type", "bar"}, {"color", "var(--quiet)"}, {"opacity", 0.35}, {"binSpacing", 0}},
      {{"x", units_axis("x", curve.feature, curve.units)},
       {"x2", {{"field", "x_end"}}},
       {"y", y},
       {"y2", fixed_at(0)},
       {"tooltip", Json::array({units_hint("x", "from", curve.units), units_hint("x_end", "to", curve.units),
                                units_hint("rows", "rows")})}},
      rows);
}

Json value_rows(const DrawnCurve& curve) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < curve.value_places.size(); ++i)
    rows.push_back(
        {{"x", in_units(curve.value_places[i], curve.units)}, {"effect", rounded(curve.value_effects[i])}});
  return rows;
}

Json tooltip_of_values(const DrawnCurve& curve) {
  return Json::array({units_hint("x", curve.feature, curve.units), units_hint("effect", "effect")});
}

}  // namespace

Json curve_chart(const DrawnCurve& curve) {
  const bool band = !curve.lower.empty();
  Json rows = Json::array();
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    rows.push_back({{"x", in_units(curve.x[i], curve.units)}, {"effect", rounded(curve.effect[i])}});
    if (band) {
      rows.back()["lower"] = rounded(curve.lower[i]);
      rows.back()["upper"] = rounded(curve.upper[i]);
    }
  }
  const Json x = units_axis("x", curve.feature, curve.units);
  std::vector<double> reached = curve.effect;
  reached.insert(reached.end(), curve.lower.begin(), curve.lower.end());
  reached.insert(reached.end(), curve.upper.begin(), curve.upper.end());
  reached.insert(reached.end(), curve.value_effects.begin(), curve.value_effects.end());
  const Json y = effect_axis("effect", curve.target, reached, curve.least_span);
  Json tooltip = Json::array({units_hint("x", curve.feature, curve.units), units_hint("effect", "effect")});
  if (band) {
    tooltip.push_back(units_hint("lower", "95 % from"));
    tooltip.push_back(units_hint("upper", "to"));
  }
  std::vector<Json> lines{
      layer({{"type", "rule"}, {"strokeDash", {2, 3}}}, {{"y", fixed_at(0)}}, Json::array({Json::object()}))};
  if (band)
    lines.push_back(layer({{"type", "area"}, {"color", colour(1)}, {"opacity", 0.18}},
                          {{"x", x},
                           {"y", effect_axis("lower", curve.target, reached, curve.least_span)},
                           {"y2", {{"field", "upper"}}}}));
  lines.push_back(
      layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2.2}}, {{"x", x}, {"y", y}}));
  if (!curve.value_places.empty())
    lines.push_back(layer({{"type", "point"}, {"filled", true}, {"size", 14}, {"color", colour(2)}},
                          {{"x", x}, {"y", y}, {"tooltip", tooltip_of_values(curve)}}, value_rows(curve)));
  // A wide invisible mark, so that the pointer need not hit the line exactly.
  lines.push_back(
      layer({{"type", "rule"}, {"opacity", 0}, {"strokeWidth", 6}}, {{"x", x}, {"tooltip", tooltip}}));
  std::vector<Json> layers;
  if (!curve.data.counts.empty()) layers.push_back(density_layer(curve));
  layers.push_back({{"layer", std::move(lines)}});
  Json chart = layered(std::move(rows), std::move(layers), chart_height);
  chart["resolve"] = {{"scale", {{"y", "independent"}}}};
  return chart;
}

Json levels_chart(DrawnLevels drawn) {
  std::ranges::stable_sort(drawn.levels, std::ranges::greater{}, &DrawnLevel::effect);
  if (drawn.levels.size() > most_levels) {  // keep both ends; levels in the middle are close to the mean
    const auto half = static_cast<std::ptrdiff_t>(most_levels / 2);
    drawn.levels.erase(drawn.levels.begin() + half, drawn.levels.end() - half);
  }
  Json rows = Json::array();
  for (const DrawnLevel& level : drawn.levels) {
    rows.push_back({{"level", shortened(level.name, 60)}, {"effect", rounded(level.effect)}});
    if (drawn.bands) {
      rows.back()["lower"] = rounded(level.lower);
      rows.back()["upper"] = rounded(level.upper);
    }
    if (level.rows >= 0) rows.back()["rows"] = rounded(level.rows);
  }
  Json y = names("level", "");
  const bool crowded = drawn.levels.size() > roomy_levels;
  y["axis"] = {{"labelLimit", 110}, {"labelOverlap", false}, {"labelFontSize", crowded ? 10 : 12}};
  std::vector<double> reached{0};
  for (const DrawnLevel& level : drawn.levels) {
    reached.push_back(level.lower);
    reached.push_back(level.upper);
  }
  const Json x = effect_axis("effect", drawn.target, reached, drawn.least_span);
  Json tooltip =
      Json::array({{{"field", "level"}, {"type", "nominal"}, {"title", shortened(drawn.feature, 60)}},
                   units_hint("effect", "effect")});
  if (drawn.bands) {
    tooltip.push_back(units_hint("lower", "95 % from"));
    tooltip.push_back(units_hint("upper", "to"));
  }
  if (!drawn.levels.empty() && drawn.levels[0].rows >= 0) tooltip.push_back(units_hint("rows", "rows"));
  std::vector<Json> layers{
      layer({{"type", "bar"}, {"color", colour(1)}, {"opacity", 0.45}, {"height", {{"band", 0.6}}}},
            {{"x", x}, {"x2", fixed_at(0)}, {"y", y}, {"tooltip", tooltip}})};
  if (drawn.bands)
    layers.push_back(layer({{"type", "rule"}, {"color", "var(--ink)"}, {"strokeWidth", 1.5}},
                           {{"x", effect_axis("lower", drawn.target, reached, drawn.least_span)},
                            {"x2", {{"field", "upper"}}},
                            {"y", y},
                            {"tooltip", tooltip}}));
  layers.push_back(layer({{"type", "rule"}}, {{"x", fixed_at(0)}}, Json::array({Json::object()})));
  const int height =
      std::max(60, (crowded ? crowded_height : level_height) * static_cast<int>(drawn.levels.size()));
  return layered(std::move(rows), std::move(layers), height);
}

}  // namespace kore::report
