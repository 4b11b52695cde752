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
constexpr int chart_height = 210;
/// The data's density takes this part of a chart's height, at its foot.
constexpr double density_part = 0.22;

std::string effect_title(const std::string& target) {
  return target.empty() ? "effect" : "effect on " + shortened(target, 24);
}

/// The ends of an axis that shows these values and spans at least so much.
Range axis_ends(const std::vector<double>& values, double least_span) {
  const auto [lowest, highest] = std::ranges::minmax(values);
  const double lacking = std::max(least_span - (highest - lowest), 0.0);
  const double margin = 0.03 * (highest - lowest + lacking);
  return {lowest - lacking / 2 - margin, highest + lacking / 2 + margin};
}

/// An axis of effects that spans at least so much, around the values.
Json effect_axis(const char* field, const std::string& target, const std::vector<double>& values,
                 double least_span) {
  Json axis = linear(field, effect_title(target));
  axis["axis"]["format"] = number_format(values);
  const auto [lowest, highest] = std::ranges::minmax(values);
  const double lacking = least_span - (highest - lowest);
  if (lacking > 0) axis["scale"] = {{"domain", {lowest - lacking / 2, highest + lacking / 2}}};
  return axis;
}

/// Ends of a scale that a control of the chart changes.
void show_central(Json& axis, const Range& central, const Range& whole) {
  const auto either = [](double shown, double all) {
    return Json{{"expr", "whole ? " + Json(rounded(all)).dump() + " : " + Json(rounded(shown)).dump()}};
  };
  axis["scale"].erase("domain");
  axis["scale"]["nice"] = false;
  axis["scale"]["domainMin"] = either(central.lowest, whole.lowest);
  axis["scale"]["domainMax"] = either(central.highest, whole.highest);
}

/// The axes of a curve.
struct CurveAxes {
  Json x;
  Json y;
};

/// All values that the curve and its band reach where `wanted` holds for the place.
std::vector<double> reached_where(const DrawnCurve& curve, const auto& wanted) {
  std::vector<double> reached;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!wanted(curve.x[i])) continue;
    reached.push_back(curve.effect[i]);
    if (i < curve.lower.size()) reached.insert(reached.end(), {curve.lower[i], curve.upper[i]});
  }
  for (std::size_t i = 0; i < curve.value_places.size(); ++i)
    if (wanted(curve.value_places[i])) reached.push_back(curve.value_effects[i]);
  return reached;
}

bool in_view(const DrawnCurve& curve, double x) {
  return !curve.central || (x >= curve.central->lowest && x <= curve.central->highest);
}

CurveAxes axes_of(const DrawnCurve& curve) {
  const std::vector<double> seen = reached_where(curve, [&](double x) { return in_view(curve, x); });
  CurveAxes axes{whole_numbers_axis("x", curve.feature, curve.units, curve.years,
                                    curve.single ? curve.x : std::vector<double>{}),
                 effect_axis("effect", curve.target, seen, curve.least_span)};
  if (!curve.central) return axes;
  const std::vector<double> all = reached_where(curve, [](double) { return true; });
  const auto placed = [&](double x) { return in_units(x, curve.units); };
  show_central(axes.x, {placed(curve.central->lowest), placed(curve.central->highest)},
               {placed(curve.x.front()), placed(curve.x.back())});
  show_central(axes.y, axis_ends(seen, curve.least_span), axis_ends(all, curve.least_span));
  return axes;
}

Json of_field(Json axis, const char* field) {
  axis["field"] = field;
  return axis;
}

Json density_layer(const DrawnCurve& curve, const Json& x_axis) {
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
      {{"type", "bar"}, {"color", "var(--quiet)"}, {"opacity", 0.35}, {"binSpacing", 0}, {"clip", true}},
      {{"x", x_axis},
       {"x2", {{"field", "x_end"}}},
       {"y", y},
       {"y2", fixed_at(0)},
       {"tooltip",
        Json::array({units_hint("x", "from", curve.units, curve.years),
                     units_hint("x_end", "to", curve.units, curve.years), units_hint("rows", "rows")})}},
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
  return Json::array(
      {units_hint("x", curve.feature, curve.units, curve.years), units_hint("effect", "effect")});
}

}  // namespace

std::vector<double> effects_in_view(const DrawnCurve& curve) {
  std::vector<double> values;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (in_view(curve, curve.x[i])) values.push_back(curve.effect[i]);
  return values;
}

namespace {

Json curve_rows(const DrawnCurve& curve) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    rows.push_back({{"x", in_units(curve.x[i], curve.units)}, {"effect", rounded(curve.effect[i])}});
    if (curve.lower.empty()) continue;
    rows.back()["lower"] = rounded(curve.lower[i]);
    rows.back()["upper"] = rounded(curve.upper[i]);
  }
  return rows;
}

Json curve_hint(const DrawnCurve& curve) {
  Json tooltip = tooltip_of_values(curve);
  if (!curve.lower.empty()) {
    tooltip.push_back(units_hint("lower", "95 % from"));
    tooltip.push_back(units_hint("upper", "to"));
  }
  return tooltip;
}

/// A curve with its band, or points with theirs.
std::vector<Json> effect_layers(const DrawnCurve& curve, const CurveAxes& axes) {
  const bool band = !curve.lower.empty();
  const Json lower = of_field(axes.y, "lower");
  const Json upper{{"field", "upper"}};
  std::vector<Json> lines{
      layer({{"type", "rule"}, {"strokeDash", {2, 3}}}, {{"y", fixed_at(0)}}, Json::array({Json::object()}))};
  if (curve.single) {
    if (band)
      lines.push_back(layer({{"type", "rule"}, {"color", colour(1)}, {"opacity", 0.5}, {"strokeWidth", 3}},
                            {{"x", axes.x}, {"y", lower}, {"y2", upper}}));
    lines.push_back(layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 1}, {"opacity", 0.35}},
                          {{"x", axes.x}, {"y", axes.y}}));
    lines.push_back(
        layer({{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}, {"color", colour(1)}},
              {{"x", axes.x}, {"y", axes.y}, {"tooltip", curve_hint(curve)}}));
  } else {
    if (band)
      lines.push_back(layer({{"type", "area"}, {"color", colour(1)}, {"opacity", 0.18}, {"clip", true}},
                            {{"x", axes.x}, {"y", lower}, {"y2", upper}}));
    lines.push_back(layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2.2}, {"clip", true}},
                          {{"x", axes.x}, {"y", axes.y}}));
  }
  if (!curve.value_places.empty())
    lines.push_back(
        layer({{"type", "point"}, {"filled", true}, {"size", 14}, {"color", colour(2)}, {"clip", true}},
              {{"x", axes.x}, {"y", axes.y}, {"tooltip", tooltip_of_values(curve)}}, value_rows(curve)));
  // A wide invisible mark, so that the pointer need not hit the line exactly.
  if (!curve.single)
    lines.push_back(layer({{"type", "rule"}, {"opacity", 0}, {"strokeWidth", 6}, {"clip", true}},
                          {{"x", axes.x}, {"tooltip", curve_hint(curve)}}));
  return lines;
}

}  // namespace

Json curve_chart(const DrawnCurve& curve) {
  const CurveAxes axes = axes_of(curve);
  std::vector<Json> layers;
  if (!curve.data.counts.empty()) layers.push_back(density_layer(curve, axes.x));
  layers.push_back({{"layer", effect_layers(curve, axes)}});
  Json chart = layered(curve_rows(curve), std::move(layers), chart_height);
  chart["resolve"] = {{"scale", {{"y", "independent"}}}};
  if (curve.central)
    chart["params"] = Json::array(
        {{{"name", "whole"}, {"value", false}, {"bind", {{"input", "checkbox"}, {"name", "whole range"}}}}});
  return chart;
}

Json levels_chart(DrawnLevels drawn) {
  std::ranges::stable_sort(drawn.levels, std::ranges::greater{}, &DrawnLevel::effect);
  if (drawn.levels.size() >
      most_bars_of_levels) {  // keep both ends; levels in the middle are close to the mean
    const auto half = static_cast<std::ptrdiff_t>(most_bars_of_levels / 2);
    drawn.levels.erase(drawn.levels.begin() + half, drawn.levels.end() - half);
  }
  std::vector<std::string> names_of_levels;
  for (const DrawnLevel& level : drawn.levels) names_of_levels.push_back(level.name);
  names_of_levels = shortened_apart(names_of_levels, 60, letters_beside_bars);
  Json rows = Json::array();
  for (const DrawnLevel& level : drawn.levels) {
    rows.push_back({{"level", names_of_levels[rows.size()]}, {"effect", rounded(level.effect)}});
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
