#include "report/effect_chart.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "report/assets.hpp"
#include "report/chart.hpp"

namespace kore::report {
namespace {

constexpr int standalone_width = 260;
constexpr int standalone_height = 190;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " × ") + name;
  return text;
}

std::string name_of(const DrawnEffect& effect) {
  return joined(effect.features) + (effect.slice.empty() ? "" : " at " + effect.slice);
}

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * share);
  return text.data();
}

std::string effect_title(const DrawnEffect& effect) {
  return effect.target.empty() ? "effect" : "effect on " + effect.target;
}

Json curve(const DrawnEffect& effect) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < effect.values.size(); ++i)
    rows.push_back({{"x", effect.coordinates[0][i]}, {"effect", effect.values[i]}});
  const Json x = linear("x", effect.features[0]);
  const Json y = linear("effect", effect_title(effect));
  return layered(
      rows, {layer({{"type", "rule"}, {"strokeDash", {2, 3}}}, {{"y", fixed_at(0)}}),
             layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2}},
                   {{"x", x},
                    {"y", y},
                    {"tooltip", hints({{"x", effect.features[0], ".4g"}, {"effect", "effect", ".4g"}})}})});
}

/// The distinct values of a coordinate, and where the field around each ends: half-way to its neighbours.
std::vector<double> field_ends(const std::vector<double>& values) {
  std::vector<double> axis = values;
  std::sort(axis.begin(), axis.end());
  axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
  std::vector<double> ends{axis.front()};
  for (std::size_t i = 1; i < axis.size(); ++i) ends.push_back((axis[i - 1] + axis[i]) / 2);
  ends.push_back(axis.back());
  return ends;
}

/// An axis that ends where the fields do.
Json tight(std::string_view field, const std::string& title) {
  Json axis = linear(field, title);
  axis["scale"]["nice"] = false;
  return axis;
}

Json surface(const DrawnEffect& effect) {
  const std::vector<double> x_ends = field_ends(effect.coordinates[0]);
  const std::vector<double> y_ends = field_ends(effect.coordinates[1]);
  const std::size_t height = y_ends.size() - 1;
  Json rows = Json::array();
  for (std::size_t i = 0; i < effect.values.size(); ++i) {
    const std::size_t column = i / height;
    const std::size_t row = i % height;
    rows.push_back({{"x", x_ends[column]},
                    {"x_end", x_ends[column + 1]},
                    {"y", y_ends[row]},
                    {"y_end", y_ends[row + 1]},
                    {"effect", effect.values[i]}});
  }
  Json fill{{"field", "effect"}, {"type", "quantitative"}, {"title", effect_title(effect)}};
  fill["scale"] = {{"scheme", "blueorange"}, {"domainMid", 0}};
  if (!effect.colours.empty()) fill["scale"]["domain"] = effect.colours;
  return layered(rows, {layer({{"type", "rect"}}, {{"x", linear("x", effect.features[0])},
                                                   {"x2", {{"field", "x_end"}}},
                                                   {"y", tight("y", effect.features[1])},
                                                   {"y2", {{"field", "y_end"}}},
                                                   {"color", fill},
                                                   {"tooltip", hints({{"x", effect.features[0], ".4g"},
                                                                      {"y", effect.features[1], ".4g"},
                                                                      {"effect", "effect", ".4g"}})}})});
}

/// The value of a CSS variable in the light theme, which comes first in the style sheet.
std::string light_colour(const std::string& variable) {
  const std::string_view style = page_style();
  const std::size_t place = style.find("--" + variable + ":");
  if (place == std::string_view::npos) return "#555555";
  const std::size_t first = style.find('#', place);
  return std::string(style.substr(first, style.find(';', first) - first));
}

void write_colours_out(Json& json) {
  constexpr std::string_view opening = "var(--";
  if (json.is_string() && json.get_ref<const std::string&>().starts_with(opening)) {
    const auto text = json.get<std::string>();
    json = light_colour(text.substr(opening.size(), text.size() - opening.size() - 1));
  } else if (json.is_structured()) {
    for (Json& part : json) write_colours_out(part);
  }
}

}  // namespace

Json effect_chart(const DrawnEffect& effect) {
  return effect.features.size() == 1 ? curve(effect) : surface(effect);
}

std::string effect_name(const DrawnEffect& effect) {
  return name_of(effect) + " (" + percent(effect.share) + ")";
}

Panel effect_panel(const DrawnEffect& effect) {
  const auto [lowest, highest] = std::minmax_element(effect.values.begin(), effect.values.end());
  std::array<char, 64> range{};
  std::snprintf(range.data(), range.size(), "between %.4g and %.4g", *lowest, *highest);
  return {effect_name(effect),
          "The " + effect_title(effect) + " of " + name_of(effect) + ", " + range.data() + ".",
          effect_chart(effect)};
}

std::vector<DrawnEffect> slices_of(const DrawnEffect& effect, const std::vector<std::string>& value_names) {
  const auto [lowest, highest] = std::minmax_element(effect.values.begin(), effect.values.end());
  std::vector<DrawnEffect> slices;
  for (std::size_t slice = 0; slice < value_names.size(); ++slice) {
    DrawnEffect surface{
        {effect.features[0], effect.features[1]},        effect.target,      effect.share, {{}, {}}, {},
        effect.features[2] + " = " + value_names[slice], {*lowest, *highest}};
    for (std::size_t i = slice; i < effect.values.size(); i += value_names.size()) {
      for (std::size_t c = 0; c < 2; ++c) surface.coordinates[c].push_back(effect.coordinates[c][i]);
      surface.values.push_back(effect.values[i]);
    }
    slices.push_back(std::move(surface));
  }
  return slices;
}

std::vector<Panel> slice_panels(const DrawnEffect& effect, const std::vector<std::string>& value_names) {
  std::vector<Panel> panels;
  for (const DrawnEffect& slice : slices_of(effect, value_names)) panels.push_back(effect_panel(slice));
  return panels;
}

Json standalone(const std::vector<Panel>& panels, int columns) {
  Json charts = Json::array();
  for (const Panel& panel : panels) {
    Json spec = panel.spec;
    spec.erase("autosize");
    spec.erase("padding");
    spec["width"] = standalone_width;
    spec["height"] = standalone_height;
    spec["title"] = panel.title;
    spec["description"] = panel.description;
    charts.push_back(std::move(spec));
  }
  Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
            {"concat", std::move(charts)},
            {"columns", columns},
            {"config",
             {{"view", {{"stroke", nullptr}}},
              {"axis", {{"titleFontWeight", "normal"}, {"gridOpacity", 0.6}}},
              {"legend", {{"orient", "bottom"}, {"titleFontWeight", "normal"}}}}},
            {"resolve", {{"scale", {{"color", "independent"}}}}}};
  write_colours_out(spec);
  return spec;
}

}  // namespace kore::report
