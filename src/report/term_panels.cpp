#include "report/term_panels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/assets.hpp"
#include "report/drawn_ranges.hpp"
#include "report/numbers.hpp"
#include "story/effect_grid.hpp"

namespace kore::report {
namespace {

constexpr int standalone_width = 260;

/// Effects of single values are dots beside the curve of their feature.
bool is_part_of_a_curve(const ShownTerm& term) { return term.order() == 1 && term.any_by_value(); }

std::vector<DrawnTerm> slices_of(const Subject& subject, std::size_t term) {
  const std::vector<std::string> features = story::feature_names(subject.shown, term);
  const std::size_t last = subject.shown.terms[term].features[2];
  std::vector<DrawnTerm> drawn;
  std::vector<double> all;
  const std::vector<double> at = slices(subject.shown, term);
  for (std::size_t place = 0; place < at.size(); ++place) {
    DrawnSurface surface = drawn_surface(subject, term, at[place], place);
    const std::vector<double> values = supported_values(surface);
    all.insert(all.end(), values.begin(), values.end());
    drawn.push_back({fmt::format("{} × {} at {} = {}", features[0], features[1], features[2],
                                 value_text(subject.fitted, last, at[place])),
                     subject.shown.effects[term].covariance_share, std::move(surface)});
  }
  for (DrawnTerm& slice : drawn) std::get<DrawnSurface>(slice.drawn).limits = heat_limits(all);
  return drawn;
}

DrawnTerm drawn_main(const Subject& subject, std::size_t term) {
  DrawnTerm drawn{story::term_name(subject.shown, term), subject.shown.effects[term].covariance_share, {}};
  if (has_levels(subject.fitted, subject.shown.terms[term].features[0]))
    drawn.drawn = drawn_levels(subject, term);
  else
    drawn.drawn = drawn_curve(subject, term);
  return drawn;
}

std::vector<double> values_of(const DrawnTerm& term) {
  if (const auto* curve = std::get_if<DrawnCurve>(&term.drawn)) return effects_in_view(*curve);
  if (const auto* surface = std::get_if<DrawnSurface>(&term.drawn)) return surface->values;
  std::vector<double> values;
  for (const DrawnLevel& level : std::get<DrawnLevels>(term.drawn).levels) values.push_back(level.effect);
  return values;
}

Json chart_of(const DrawnTerm& term) {
  if (const auto* curve = std::get_if<DrawnCurve>(&term.drawn)) return curve_chart(*curve);
  if (const auto* levels = std::get_if<DrawnLevels>(&term.drawn)) return levels_chart(*levels);
  return pair_chart(std::get<DrawnSurface>(term.drawn));
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

std::vector<DrawnTerm> drawn_terms(const Subject& subject, std::size_t most) {
  std::vector<DrawnTerm> drawn;
  std::size_t terms = 0;
  for (const std::size_t t : story::ranked_terms(subject.shown)) {
    const ShownTerm& term = subject.shown.terms[t];
    if (is_part_of_a_curve(term)) continue;
    if (terms++ == most) break;
    if (term.order() == 1)
      drawn.push_back(drawn_main(subject, t));
    else if (term.order() == 2)
      drawn.push_back({story::term_name(subject.shown, t), subject.shown.effects[t].covariance_share,
                       drawn_surface(subject, t)});
    else
      std::ranges::move(slices_of(subject, t), std::back_inserter(drawn));
  }
  return drawn;
}

std::size_t drawable_terms(const Decomposition& shown) {
  return static_cast<std::size_t>(
      std::ranges::count_if(shown.terms, [](const ShownTerm& term) { return !is_part_of_a_curve(term); }));
}

std::string term_title(const DrawnTerm& term) { return with_share(shortened(term.name, 80), term.share); }

Panel term_panel(const DrawnTerm& term) {
  const std::vector<double> values = values_of(term);
  const auto [lowest, highest] = std::ranges::minmax(values);
  return {term_title(term),
          fmt::format("Effect of {}, between {} and {}.", term.name, readable(lowest), readable(highest)),
          chart_of(term)};
}

Json standalone(const std::vector<Panel>& panels, int columns) {
  Json charts = Json::array();
  Json params;
  for (const Panel& panel : panels) {
    Json spec = panel.spec;
    spec.erase("autosize");
    spec.erase("padding");
    spec["width"] = standalone_width;
    spec["title"] = panel.title;
    spec["description"] = panel.description;
    if (spec.contains("params")) params = spec["params"];  // one control for all charts
    spec.erase("params");
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
  if (!params.is_null()) spec["params"] = params;
  write_colours_out(spec);
  return spec;
}

}  // namespace kore::report
