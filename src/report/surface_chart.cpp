#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/contours.hpp"
#include "report/numbers.hpp"
#include "report/term_chart.hpp"
#include "report/units.hpp"

namespace kore::report {
namespace {

constexpr int surface_height = 250;
constexpr int level_height = 22;
constexpr int crowded_height = 12;
constexpr std::size_t roomy_levels = 15;
constexpr std::size_t most_contour_pieces = 1500;
/// Fields on either side of a point that count as near, and what they must hold.
constexpr std::size_t reach = 2;
constexpr double enough_rows = 3;

/// Where the field around each point ends: half-way to its neighbours.
std::vector<double> field_ends(const DrawnSide& side) {
  const std::vector<double>& at = side.points;
  std::vector<double> ends{at.front()};
  for (std::size_t i = 1; i < at.size(); ++i) ends.push_back((at[i - 1] + at[i]) / 2);
  ends.push_back(at.back());
  for (double& end : ends) end = in_units(end, side.units);
  return ends;
}

/// Rows in the fields within reach of each; neighbours of a level are its own field alone.
std::vector<double> rows_nearby(const DrawnSurface& surface) {
  const std::size_t width = surface.x.size();
  const std::size_t height = surface.y.size();
  const std::size_t x_reach = surface.x.levels.empty() ? reach : 0;
  const std::size_t y_reach = surface.y.levels.empty() ? reach : 0;
  std::vector<double> near(surface.values.size());
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < height; ++j)
      for (std::size_t a = i - std::min(i, x_reach); a <= std::min(width - 1, i + x_reach); ++a)
        for (std::size_t b = j - std::min(j, y_reach); b <= std::min(height - 1, j + y_reach); ++b)
          near[i * height + j] += surface.rows[a * height + b];
  return near;
}

const char* support(double rows) { return rows >= enough_rows ? "3+" : rows > 0 ? "1-2" : "0"; }

/// There are hundreds of fields in a surface, so that their keys are letters: x to X, y to Y.
std::string upper_end(const std::string& field) { return field == "x" ? "X" : "Y"; }

/// The channels of one side: an interval, or a name.
void add_side(Json& encoding, const char* channel, const DrawnSide& side) {
  const std::string field = channel;
  if (!side.levels.empty()) {
    encoding[field] = names(field, shortened(side.feature));
    encoding[field]["axis"] = {
        {"labelLimit", 90}, {"grid", false}, {"labelFontSize", side.levels.size() > roomy_levels ? 9 : 12}};
    return;
  }
  Json axis = whole_numbers_axis(field, side.feature, side.units, side.years, {});
  axis["axis"]["grid"] = false;
  encoding[field] = axis;
  encoding[field + "2"] = {{"field", upper_end(field)}};
}

/// The levels of a side as they are written, or where its fields end.
struct Places {
  std::vector<std::string> names;
  std::vector<double> ends;
};

Places places_of(const DrawnSide& side) {
  if (side.levels.empty()) return {{}, field_ends(side)};
  return {shortened_apart(side.levels, 60, letters_beside_bars), {}};
}

void set_place(Json& row, const std::string& field, const Places& places, std::size_t at) {
  if (!places.names.empty()) {
    row[field] = places.names[at];
    return;
  }
  const std::vector<double>& ends = places.ends;
  row[field] = ends[at];
  row[upper_end(field)] = ends[at + 1];
}

Json place_hint(const std::string& field, const DrawnSide& side) {
  if (side.levels.empty()) return units_hint(field, side.feature, side.units, side.years);
  return {{"field", field}, {"title", shortened(side.feature, 60)}, {"type", "nominal"}};
}

Json fields(const DrawnSurface& surface) {
  const Places x = places_of(surface.x);
  const Places y = places_of(surface.y);
  const std::vector<double> near = surface.rows.empty() ? std::vector<double>{} : rows_nearby(surface);
  Json rows = Json::array();
  for (std::size_t i = 0; i < surface.values.size(); ++i) {
    Json row{{"e", rounded(surface.values[i])}};
    set_place(row, "x", x, i / surface.y.size());
    set_place(row, "y", y, i % surface.y.size());
    if (!surface.reach.empty()) row["r"] = rounded(surface.reach[i]);
    if (!near.empty()) row["n"] = support(near[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json heat(const std::vector<double>& limits, const std::string& target) {
  Json range = Json::array();
  for (std::size_t step = 1; step <= limits.size() + 1; ++step)
    range.push_back("var(--heat-" + std::to_string(step) + ")");
  return {{"field", "e"},
          {"type", "quantitative"},
          {"title", target.empty() ? "effect" : "effect on " + shortened(target, 24)},
          {"legend",
           {{"format", number_format(limits)},
            {"gradientLength", 220},
            {"labelFontSize", 10},
            {"labelOverlap", "parity"}}},
          {"scale", {{"type", "threshold"}, {"domain", limits}, {"range", std::move(range)}}}};
}

/// A plus where the values are largest, and a minus where they are smallest: signs without colours.
Json signs(const DrawnSurface& surface) {
  // Where there are no rows a surface may be far up or down, which says nothing.
  std::vector<double> values = surface.values;
  if (!surface.rows.empty()) {
    const std::vector<double> near = rows_nearby(surface);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (near[i] < enough_rows) values[i] = 0;
  }
  const auto [lowest, highest] = std::ranges::minmax_element(values);
  const Places x = places_of(surface.x);
  const Places y = places_of(surface.y);
  const auto middle = [](const DrawnSide& side, const Places& places, std::size_t at) {
    return places.names.empty() ? Json(in_units(side.points[at], side.units)) : Json(places.names[at]);
  };
  Json rows = Json::array();
  const auto add = [&](const auto& at, const char* sign) {
    const auto place = static_cast<std::size_t>(at - values.begin());
    rows.push_back({{"x", middle(surface.x, x, place / surface.y.size())},
                    {"y", middle(surface.y, y, place % surface.y.size())},
                    {"sign", sign}});
  };
  if (*lowest < 0) add(lowest, "−");
  if (*highest > 0) add(highest, "+");
  return rows;
}

Json contour_rows(const DrawnSurface& surface, const std::vector<double>& limits) {
  Json rows = Json::array();
  for (const double limit : limits)
    for (const Segment& piece : contour(surface.x.points, surface.y.points, surface.values, limit))
      rows.push_back({{"x", in_units(piece.x, surface.x.units)},
                      {"y", in_units(piece.y, surface.y.units)},
                      {"X", in_units(piece.x_end, surface.x.units)},
                      {"Y", in_units(piece.y_end, surface.y.units)}});
  return rows;
}

}  // namespace

std::vector<double> supported_values(const DrawnSurface& surface) {
  if (surface.rows.empty()) return surface.values;
  const std::vector<double> near = rows_nearby(surface);
  std::vector<double> supported;
  for (std::size_t i = 0; i < near.size(); ++i)
    if (near[i] >= enough_rows) supported.push_back(surface.values[i]);
  return supported.empty() ? surface.values : supported;
}

std::vector<double> heat_limits(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (!(largest > 0)) largest = 1;
  // Nine steps of two significant digits that reach as far as the values do.
  const double wanted = largest / 4.5;
  const double unit = std::pow(10, std::floor(std::log10(wanted)) - 1);
  const double step = std::ceil(wanted / unit) * unit;
  std::vector<double> limits;
  for (int i = 0; i < 8; ++i) limits.push_back(rounded((i - 3.5) * step));
  return limits;
}

Json surface_chart(const DrawnSurface& surface) {
  const std::vector<double> limits =
      surface.limits.empty() ? heat_limits(supported_values(surface)) : surface.limits;
  Json encoding{{"color", heat(limits, surface.target)}};
  add_side(encoding, "x", surface.x);
  add_side(encoding, "y", surface.y);
  Json tooltip =
      Json::array({place_hint("x", surface.x), place_hint("y", surface.y), units_hint("e", "effect")});
  if (!surface.reach.empty()) tooltip.push_back(units_hint("r", "95 % band, ±"));
  if (!surface.rows.empty()) {
    encoding["opacity"] = {{"field", "n"},
                           {"type", "ordinal"},
                           {"legend", nullptr},
                           {"scale", {{"domain", {"3+", "1-2", "0"}}, {"range", {1, 0.5, 0.15}}}}};
    tooltip.push_back({{"field", "n"}, {"title", "rows nearby"}, {"type", "nominal"}});
  }
  encoding["tooltip"] = tooltip;
  std::vector<Json> layers{layer({{"type", "rect"}, {"strokeWidth", 0}}, encoding)};
  const bool smooth = surface.x.levels.empty() && surface.y.levels.empty();
  Json lines = smooth ? contour_rows(surface, limits) : Json::array();
  if (!lines.empty() && lines.size() <= most_contour_pieces)
    layers.push_back(
        layer({{"type", "rule"}, {"color", "var(--ink)"}, {"strokeWidth", 0.6}, {"opacity", 0.45}},
              {{"x", encoding["x"]}, {"x2", encoding["x2"]}, {"y", encoding["y"]}, {"y2", encoding["y2"]}},
              std::move(lines)));
  layers.push_back(
      layer({{"type", "text"}, {"fontSize", smooth ? 18 : 14}, {"fontWeight", "bold"}, {"aria", false}},
            {{"x", encoding["x"]}, {"y", encoding["y"]}, {"text", {{"field", "sign"}, {"type", "nominal"}}}},
            signs(surface)));
  const std::size_t levels = surface.y.levels.size();
  const int each = levels > roomy_levels ? crowded_height : level_height;
  const int height = levels == 0 ? surface_height : std::max(60, each * static_cast<int>(levels));
  return layered(fields(surface), std::move(layers), height);
}

namespace {

/// What the lines reach, with their bands where there are rows: elsewhere a band may be so wide that it would
/// flatten all lines.
Range seen_where_rows_are(const DrawnSurface& surface, const std::vector<double>& near) {
  Range seen{0, 0};
  for (std::size_t i = 0; i < surface.values.size(); ++i) {
    const bool shown = !surface.reach.empty() && (near.empty() || near[i] >= enough_rows);
    const double band = shown ? surface.reach[i] : 0;
    seen.lowest = std::min(seen.lowest, surface.values[i] - band);
    seen.highest = std::max(seen.highest, surface.values[i] + band);
  }
  return seen;
}

}  // namespace

bool drawn_as_lines(const DrawnSurface& surface) {
  constexpr std::size_t most_lines = 6;
  return surface.x.levels.empty() && !surface.y.levels.empty() && surface.y.size() <= most_lines &&
         surface.limits.empty();  // slices of a triple share their colours
}

Json pair_chart(const DrawnSurface& surface) {
  return drawn_as_lines(surface) ? lines_chart(surface) : surface_chart(surface);
}

Json lines_chart(const DrawnSurface& surface) {
  const std::vector<double> near = surface.rows.empty() ? std::vector<double>{} : rows_nearby(surface);
  const bool band = !surface.reach.empty();
  Json rows = Json::array();
  const std::vector<std::string> levels = shortened_apart(surface.y.levels, 24);
  for (std::size_t i = 0; i < surface.values.size(); ++i) {
    const std::size_t at = i / surface.y.size();
    Json row{{"x", in_units(surface.x.points[at], surface.x.units)},
             {"level", levels[i % surface.y.size()]},
             {"e", rounded(surface.values[i])},
             {"seen", nullptr}};
    // Between whole numbers there are no rows, and yet they are next to each other.
    if (near.empty() || near[i] >= enough_rows || !surface.x.single.empty()) row["seen"] = row["e"];
    if (band) {
      row["lower"] = rounded(surface.values[i] - surface.reach[i]);
      row["upper"] = rounded(surface.values[i] + surface.reach[i]);
    }
    if (!near.empty()) row["n"] = support(near[i]);
    rows.push_back(std::move(row));
  }
  const Json x =
      whole_numbers_axis("x", surface.x.feature, surface.x.units, surface.x.years, surface.x.single);
  Json y = linear("e", surface.target.empty() ? "effect" : "effect on " + shortened(surface.target, 24));
  y["axis"]["format"] = number_format(surface.values);
  const Range seen = seen_where_rows_are(surface, near);
  y["scale"] = {{"domain", {rounded(seen.lowest), rounded(seen.highest)}}, {"zero", false}, {"nice", true}};
  const auto of = [&](const char* field) {
    Json axis = y;
    axis["field"] = field;
    return axis;
  };
  Json series = colours("level", shortened(surface.y.feature), levels);
  // The legend has the lines, and not the faint band around them.
  std::size_t longest = 0;
  for (const std::string& level : levels) longest = std::max(longest, level.size());
  constexpr std::size_t fits_twice = 14;  // of letters, in a panel
  if (longest > fits_twice / 2) series["legend"]["columns"] = longest > fits_twice ? 1 : 2;
  series["legend"]["symbolType"] = "stroke";
  series["legend"]["symbolOpacity"] = 1;
  series["legend"]["symbolStrokeWidth"] = 2.5;
  Json dashes = series;  // lines can be told apart without colours, too
  dashes["scale"] = {{"domain", levels},
                     {"range", Json::array({{1, 0}, {7, 3}, {2, 2}, {10, 2, 2, 2}, {4, 4}, {12, 4}})}};
  Json tooltip =
      Json::array({units_hint("x", surface.x.feature, surface.x.units, surface.x.years),
                   {{"field", "level"}, {"title", shortened(surface.y.feature, 60)}, {"type", "nominal"}},
                   units_hint("e", "effect")});
  if (band) {
    tooltip.push_back(units_hint("lower", "95 % from"));
    tooltip.push_back(units_hint("upper", "to"));
  }
  if (!near.empty()) tooltip.push_back({{"field", "n"}, {"title", "rows nearby"}, {"type", "nominal"}});
  std::vector<Json> layers{
      layer({{"type", "rule"}, {"strokeDash", {2, 3}}}, {{"y", fixed_at(0)}}, Json::array({Json::object()}))};
  if (band)
    layers.push_back(layer({{"type", "area"}, {"opacity", 0.08}, {"interpolate", "monotone"}, {"clip", true}},
                           {{"x", x}, {"y", of("lower")}, {"y2", {{"field", "upper"}}}, {"color", series}}));
  layers.push_back(
      layer({{"type", "line"}, {"strokeWidth", 1}, {"opacity", 0.35}, {"interpolate", "monotone"}},
            {{"x", x}, {"y", y}, {"color", series}, {"strokeDash", dashes}}));
  layers.push_back(layer({{"type", "line"}, {"strokeWidth", 2.2}, {"interpolate", "monotone"}},
                         {{"x", x}, {"y", of("seen")}, {"color", series}, {"strokeDash", dashes}}));
  layers.push_back(
      layer({{"type", "point"}, {"opacity", 0}, {"size", 120}}, {{"x", x}, {"y", y}, {"tooltip", tooltip}}));
  return layered(std::move(rows), std::move(layers), surface_height);
}

}  // namespace kore::report
