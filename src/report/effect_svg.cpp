#include "report/effect_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/numbers.hpp"
#include "report/svg_axes.hpp"

namespace kore::report {
namespace {

using namespace svg;

constexpr const char* band_style = "stroke=\"#1f4e8c\" stroke-opacity=\"0.5\" stroke-width=\"3\"";
constexpr const char* zero_style = "stroke=\"#999999\" stroke-dasharray=\"2 3\"";
constexpr std::size_t letters_aside = 8;
constexpr std::size_t letters_below = 12;
constexpr std::size_t most_levels = 14;

struct Rgb {
  double red = 0;
  double green = 0;
  double blue = 0;
};
constexpr Rgb low_colour{23, 69, 127};
constexpr Rgb middle_colour{243, 244, 246};
constexpr Rgb high_colour{156, 67, 12};

std::string effect_title(const std::string& target) {
  return target.empty() ? "effect" : "effect on " + target;
}

/// An axis of effects that reaches all of these and zero, and spans at least so much.
Scale effect_scale(std::vector<double> reached, double least_span, const auto& direction) {
  reached.push_back(0);
  const auto [lowest, highest] = std::ranges::minmax(reached);
  const double lacking = std::max(least_span - (highest - lowest), 0.0);
  const double extent = highest > lowest ? highest - lowest : 1;
  return direction(lowest - 0.04 * extent - lacking / 2, highest + 0.04 * extent + lacking / 2);
}

std::string points_of(const std::vector<double>& at, const std::vector<double>& values, const Scale& x,
                      const Scale& y) {
  std::string points;
  for (std::size_t i = 0; i < values.size(); ++i)
    points += fmt::format("{:.1f},{:.1f} ", x(at[i]), y(values[i]));
  return points;
}

std::string dot(double x, double y, double radius, const char* colour) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y, radius, colour);
}

/// What is seen at first of a curve: where nearly all rows lie.
DrawnCurve in_view(DrawnCurve curve) {
  if (!curve.central) return curve;
  const auto seen = [&](double x) { return x >= curve.central->lowest && x <= curve.central->highest; };
  DrawnCurve part = curve;
  for (auto* list :
       {&part.x, &part.effect, &part.lower, &part.upper, &part.value_places, &part.value_effects})
    list->clear();
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!seen(curve.x[i])) continue;
    part.x.push_back(curve.x[i]);
    part.effect.push_back(curve.effect[i]);
    if (curve.lower.empty()) continue;
    part.lower.push_back(curve.lower[i]);
    part.upper.push_back(curve.upper[i]);
  }
  for (std::size_t i = 0; i < curve.value_places.size(); ++i) {
    if (!seen(curve.value_places[i])) continue;
    part.value_places.push_back(curve.value_places[i]);
    part.value_effects.push_back(curve.value_effects[i]);
  }
  return part;
}

std::string polyline(const std::string& points, const std::string& style) {
  return "<polyline fill=\"none\" " + style + " points=\"" + points + "\"/>\n";
}

/// The few whole numbers that there are: a point for each, with its band.
std::string single_points(const DrawnCurve& curve, const Scale& x, const Scale& y) {
  std::string svg = polyline(points_of(curve.x, curve.effect, x, y),
                             "stroke=\"#1f4e8c\" stroke-opacity=\"0.35\" stroke-width=\"1\"");
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double at = x(curve.x[i]);
    if (!curve.lower.empty()) svg += line(at, y(curve.lower[i]), at, y(curve.upper[i]), band_style);
    svg += dot(at, y(curve.effect[i]), 4, "#1f4e8c");
  }
  return svg;
}

std::vector<Tick> single_ticks(const std::vector<double>& values) {
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({value, fmt::format("{:.0f}", value)});
  return ticks;
}

/// A scale with room for points at both of its ends.
Scale across_points(const std::vector<double>& values) {
  const double room = 0.06 * (values.back() - values.front());
  return across(values.front() - room, values.back() + room);
}

std::string drawn(const DrawnCurve& whole) {
  const DrawnCurve curve = in_view(whole);
  std::vector<double> reached = curve.effect;
  for (const auto* more : {&curve.lower, &curve.upper, &curve.value_effects})
    reached.insert(reached.end(), more->begin(), more->end());
  const Scale x = curve.single ? across_points(curve.x) : across(curve.x.front(), curve.x.back());
  const Scale y = effect_scale(std::move(reached), curve.least_span, upwards);
  std::string svg = line(x.first, y(0), x.last, y(0), zero_style);
  if (curve.single)
    return svg + single_points(curve, x, y) +
           axes(x, y, single_ticks(curve.x), ticks_of(y), curve.feature, effect_title(curve.target));
  if (!curve.lower.empty()) {
    const std::vector<double> back(curve.x.rbegin(), curve.x.rend());
    const std::vector<double> upper(curve.upper.rbegin(), curve.upper.rend());
    svg += "<polygon fill=\"#1f4e8c\" fill-opacity=\"0.18\" points=\"" +
           points_of(curve.x, curve.lower, x, y) + points_of(back, upper, x, y) + "\"/>\n";
  }
  svg += polyline(points_of(curve.x, curve.effect, x, y), "stroke=\"#1f4e8c\" stroke-width=\"2\"");
  for (std::size_t i = 0; i < curve.value_places.size(); ++i)
    svg += dot(x(curve.value_places[i]), y(curve.value_effects[i]), 2, "#9c430c");
  return svg + axes(x, y, ticks_of(x, curve.units, curve.years), ticks_of(y), curve.feature,
                    effect_title(curve.target));
}

/// Names stand at the side, the largest effect on top. Of many levels both ends are shown, and how many are
/// not.
std::string drawn(DrawnLevels levels) {
  std::ranges::stable_sort(levels.levels, {}, &DrawnLevel::effect);
  const std::size_t all = levels.levels.size();
  constexpr std::ptrdiff_t half = most_levels / 2 - 1;
  const bool cut = all > most_levels;
  if (cut) levels.levels.erase(levels.levels.begin() + half, levels.levels.end() - half);
  const auto row = [&](std::size_t i) {  // one is left free for the words between the two ends
    return static_cast<double>(i + (cut && i >= static_cast<std::size_t>(half) ? 1 : 0));
  };
  std::vector<double> reached;
  std::vector<std::string> names;
  for (const DrawnLevel& level : levels.levels) {
    reached.insert(reached.end(), {level.effect, level.lower, level.upper});
    names.push_back(level.name);
  }
  std::vector<Tick> places = named_ticks(names, letters_aside);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].at = row(i);
  const Scale x = effect_scale(std::move(reached), levels.least_span, across);
  const Scale y = upwards(-0.6, row(names.size() - 1) + 0.6);
  std::string svg = line(x(0), y.first, x(0), y.last, zero_style);
  if (cut)
    svg += text((x.first + x.last) / 2, y(half) + 4, "middle",
                fmt::format("... and {} more between them", all - names.size()), " fill=\"#555555\"");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const DrawnLevel& level = levels.levels[i];
    const double at = y(row(i));
    if (levels.bands) svg += line(x(level.lower), at, x(level.upper), at, band_style);
    svg += dot(x(level.effect), at, 4, "#1f4e8c");
  }
  return svg + axes(x, y, ticks_of(x), places, effect_title(levels.target), "");
}

std::string colour_at(double value, double largest) {
  const double share = largest > 0 ? std::clamp(value / largest, -1.0, 1.0) : 0;
  const Rgb& end = share < 0 ? low_colour : high_colour;
  const auto mixed = [&](double Rgb::*part) {
    return static_cast<int>(
        std::lround(middle_colour.*part + std::abs(share) * (end.*part - middle_colour.*part)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(&Rgb::red), mixed(&Rgb::green), mixed(&Rgb::blue));
}

/// Where the fields of a side end: half-way between points, or around the places of levels.
std::vector<double> ends_of(const DrawnSide& side) {
  std::vector<double> ends;
  if (!side.levels.empty()) {
    for (std::size_t i = 0; i <= side.levels.size(); ++i) ends.push_back(static_cast<double>(i) - 0.5);
    return ends;
  }
  ends.push_back(side.points.front());
  for (std::size_t i = 1; i < side.points.size(); ++i)
    ends.push_back((side.points[i - 1] + side.points[i]) / 2);
  ends.push_back(side.points.back());
  return ends;
}

std::vector<Tick> ticks_of_side(const DrawnSide& side, const Scale& scale, std::size_t letters) {
  return side.levels.empty() ? ticks_of(scale, side.units, side.years) : named_ticks(side.levels, letters);
}

/// A line for each of a few levels, named above it.
std::string drawn_lines(const DrawnSurface& surface) {
  constexpr std::array colours{"#1f4e8c", "#9c430c", "#1d6b3a", "#7a3e8e", "#8a6d00", "#5b6470"};
  constexpr std::array dashes{"none", "7 3", "2 2", "10 2 2 2", "4 4", "12 4"};
  const std::size_t count = surface.y.size();
  const bool single = !surface.x.single.empty();
  const Scale x =
      single ? across_points(surface.x.points) : across(surface.x.points.front(), surface.x.points.back());
  const Scale y = effect_scale(surface.values, 0, upwards);
  const std::vector<Tick> names = named_ticks(surface.y.levels, letters_below);
  std::string svg = line(x.first, y(0), x.last, y(0), zero_style);
  for (std::size_t level = 0; level < count; ++level) {
    std::vector<double> values;
    for (std::size_t i = level; i < surface.values.size(); i += count) values.push_back(surface.values[i]);
    const char* colour = colours.at(level % colours.size());
    const char* dash = dashes.at(level % dashes.size());
    svg += polyline(points_of(surface.x.points, values, x, y),
                    fmt::format("stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"", colour, dash));
    for (std::size_t i = 0; single && i < values.size(); ++i)
      svg += dot(x(surface.x.points[i]), y(values[i]), 3, colour);
    // Three names side by side, in two rows.
    const double across_names = (x.last - x.first) / 3;
    const double from = x.first + static_cast<double>(level % 3) * across_names;
    const double height = top + 2 + 12 * static_cast<double>(level / 3);
    svg +=
        line(from, height - 4, from + 16, height - 4,
             fmt::format("stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"", colour, dash).c_str()) +
        text(from + 20, height, "start", names[level].label, " font-size=\"10\"");
  }
  return svg + axes(x, y,
                    single ? single_ticks(surface.x.points) : ticks_of_side(surface.x, x, letters_below),
                    ticks_of(y), surface.x.feature, effect_title(surface.target));
}

std::string drawn(const DrawnSurface& surface) {
  if (drawn_as_lines(surface)) return drawn_lines(surface);
  const std::vector<double> x_ends = ends_of(surface.x);
  const std::vector<double> y_ends = ends_of(surface.y);
  const Scale x = across(x_ends.front(), x_ends.back());
  const Scale y = upwards(y_ends.front(), y_ends.back());
  double largest = 0;
  for (const auto* values : {&surface.values, &surface.limits})
    for (const double value : *values) largest = std::max(largest, std::abs(value));
  std::string svg = "<g shape-rendering=\"crispEdges\">\n";
  const std::size_t height = surface.y.size();
  for (std::size_t i = 0; i < surface.values.size(); ++i) {
    const std::size_t column = i / height;
    const std::size_t row = i % height;
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                       x(x_ends[column]), y(y_ends[row + 1]), x(x_ends[column + 1]) - x(x_ends[column]),
                       y(y_ends[row]) - y(y_ends[row + 1]), colour_at(surface.values[i], largest));
  }
  svg += "</g>\n";
  const auto middle = [](const std::vector<double>& ends, std::size_t at) {
    return (ends[at] + ends[at + 1]) / 2;
  };
  const auto sign = [&](auto at, const char* mark) {
    const auto i = static_cast<std::size_t>(at - surface.values.begin());
    svg += text(std::clamp(x(middle(x_ends, i / height)), left + 20, panel_width - right - 20),
                std::clamp(y(middle(y_ends, i % height)) + 6, top + 12, panel_height - bottom - 2), "middle",
                fmt::format("{}{}", mark, readable(std::abs(*at))),
                " font-size=\"14\" font-weight=\"bold\" stroke=\"#ffffff\" stroke-width=\"3\" "
                "paint-order=\"stroke\"");
  };
  const auto [lowest, highest] = std::ranges::minmax_element(surface.values);
  if (*lowest < 0) sign(lowest, "−");
  if (*highest > 0) sign(highest, "+");
  return svg + axes(x, y, ticks_of_side(surface.x, x, letters_below),
                    ticks_of_side(surface.y, y, letters_aside), surface.x.feature, surface.y.feature);
}

}  // namespace

std::string effects_svg(std::span<const DrawnTerm> terms, int columns) {
  const int beside = std::clamp(static_cast<int>(terms.size()), 1, columns);
  const int below = (static_cast<int>(terms.size()) + beside - 1) / beside;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#1d2430\" role=\"img\" "
      "aria-label=\"Effects of the model\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      beside * panel_width, below * panel_height);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double x = static_cast<double>(i % static_cast<std::size_t>(beside)) * panel_width;
    const double y = static_cast<double>(i / static_cast<std::size_t>(beside)) * panel_height;
    svg += fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n", x, y);
    svg += text(panel_width / 2, 18, "middle", with_share(shortened(terms[i].name, 46), terms[i].share),
                " font-size=\"12\" font-weight=\"600\"");
    svg += std::visit([](const auto& what) { return drawn(what); }, terms[i].drawn);
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace kore::report
