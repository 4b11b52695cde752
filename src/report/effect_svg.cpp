#include "report/effect_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "report/numbers.hpp"
#include "report/page.hpp"

namespace kore::report {
namespace {

constexpr double panel_width = 340;
constexpr double panel_height = 260;
constexpr double left = 58;
constexpr double top = 30;
constexpr double right = 14;
constexpr double bottom = 44;
constexpr int ticks = 5;
constexpr std::size_t most_levels_named = 12;

struct Rgb {
  double red = 0;
  double green = 0;
  double blue = 0;
};
constexpr Rgb low_colour{23, 69, 127};
constexpr Rgb middle_colour{243, 244, 246};
constexpr Rgb high_colour{156, 67, 12};

/// From numbers to places within a panel.
struct Axis {
  double lowest = 0;
  double highest = 1;
  double first = 0;  ///< Where the lowest value is, in points; `last` may be smaller.
  double last = 1;

  double operator()(double value) const {
    return highest > lowest ? first + (value - lowest) / (highest - lowest) * (last - first)
                            : (first + last) / 2;
  }
};

/// Round numbers at equal distances.
std::vector<double> ticks_of(const Axis& axis) {
  const double raw = (axis.highest - axis.lowest) / ticks;
  if (!(raw > 0) || !std::isfinite(raw)) return {axis.lowest};
  const double unit = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * unit;
  for (const double times : {5.0, 2.0, 1.0})
    if (times * unit >= raw) step = times * unit;
  std::vector<double> at;
  for (double tick = std::ceil(axis.lowest / step) * step; tick <= axis.highest + step * 1e-9; tick += step)
    at.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return at;
}

std::string text(double x, double y, const char* anchor, const std::string& words, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escaped(words));
}

std::string line(double x, double y, double to_x, double to_y, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x, y, to_x, to_y,
                     style);
}

constexpr const char* axis_style = "stroke=\"#999999\"";

std::string axes(const Axis& x, const Axis& y, const std::vector<std::string>& levels,
                 const std::string& x_name, const std::string& y_name) {
  std::string svg = line(x.first, y.first, x.last, y.first, axis_style) +
                    line(x.first, y.first, x.first, y.last, axis_style);
  if (levels.empty())
    for (const double tick : ticks_of(x))
      svg += line(x(tick), y.first, x(tick), y.first + 4, axis_style) +
             text(x(tick), y.first + 16, "middle", readable(tick));
  for (std::size_t i = 0; i < levels.size() && levels.size() <= most_levels_named; ++i)
    svg += text(x(static_cast<double>(i)), y.first + 16, "middle", shortened(levels[i], 10));
  for (const double tick : ticks_of(y))
    svg += line(x.first - 4, y(tick), x.first, y(tick), axis_style) +
           text(x.first - 7, y(tick) + 4, "end", readable(tick));
  svg += text((x.first + x.last) / 2, panel_height - 8, "middle", shortened(x_name, 40));
  const double middle = (y.first + y.last) / 2;
  return svg + text(13, middle, "middle", shortened(y_name, 30),
                    fmt::format(" transform=\"rotate(-90 13 {:.1f})\"", middle).c_str());
}

Axis spanning(std::span<const double> values, double margin, double first, double last) {
  const auto [lowest, highest] = std::ranges::minmax(values);
  const double extent = highest > lowest ? highest - lowest : 1;
  return {lowest - margin * extent, highest + margin * extent, first, last};
}

std::string points_of(const std::vector<double>& at, const std::vector<double>& values, const Axis& x,
                      const Axis& y) {
  std::string points;
  for (std::size_t i = 0; i < values.size(); ++i)
    points += fmt::format("{:.1f},{:.1f} ", x(at[i]), y(values[i]));
  return points;
}

std::string curve(const DrawnEffect& effect) {
  const std::vector<double>& at = effect.coordinates[0];
  std::vector<double> reached = effect.values;
  for (const auto* band : {&effect.lower, &effect.upper})
    reached.insert(reached.end(), band->begin(), band->end());
  reached.push_back(0);
  const bool named = !effect.levels.empty();
  const Axis x = spanning(at, named ? 0.08 : 0, left, panel_width - right);
  const Axis y = spanning(reached, 0.04, panel_height - bottom, top);
  std::string svg = line(x.first, y(0), x.last, y(0), "stroke=\"#999999\" stroke-dasharray=\"2 3\"");
  if (!effect.lower.empty() && !named) {
    std::vector<double> back(at.rbegin(), at.rend());
    const std::vector<double> upper(effect.upper.rbegin(), effect.upper.rend());
    svg += "<polygon fill=\"#1f4e8c\" fill-opacity=\"0.18\" points=\"" + points_of(at, effect.lower, x, y) +
           points_of(back, upper, x, y) + "\"/>\n";
  }
  for (std::size_t i = 0; i < at.size() && named; ++i) {
    if (!effect.lower.empty())
      svg += line(x(at[i]), y(effect.lower[i]), x(at[i]), y(effect.upper[i]),
                  "stroke=\"#1f4e8c\" stroke-opacity=\"0.5\" stroke-width=\"3\"");
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#1f4e8c\"/>\n", x(at[i]),
                       y(effect.values[i]));
  }
  if (!named)
    svg += "<polyline fill=\"none\" stroke=\"#1f4e8c\" stroke-width=\"2\" points=\"" +
           points_of(at, effect.values, x, y) + "\"/>\n";
  return svg + axes(x, y, effect.levels, effect.features[0],
                    effect.target.empty() ? "effect" : "effect on " + effect.target);
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

std::vector<double> distinct(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Where the field of each value ends: half-way to its neighbours.
std::vector<double> ends_of(const std::vector<double>& values) {
  std::vector<double> ends{values.front()};
  for (std::size_t i = 1; i < values.size(); ++i) ends.push_back((values[i - 1] + values[i]) / 2);
  ends.push_back(values.back());
  return ends;
}

std::string surface(const DrawnEffect& effect) {
  const std::vector<double> x_values = distinct(effect.coordinates[0]);
  const std::vector<double> y_values = distinct(effect.coordinates[1]);
  const std::vector<double> x_ends = ends_of(x_values);
  const std::vector<double> y_ends = ends_of(y_values);
  const Axis x = spanning(x_values, 0, left, panel_width - right);
  const Axis y = spanning(y_values, 0, panel_height - bottom, top);
  const std::vector<double>& scale = effect.colours.empty() ? effect.values : effect.colours;
  double largest = 0;
  for (const double value : scale) largest = std::max(largest, std::abs(value));
  std::string svg = "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t i = 0; i < effect.values.size(); ++i) {
    const std::size_t column = i / y_values.size();
    const std::size_t row = i % y_values.size();
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                       x(x_ends[column]), y(y_ends[row + 1]), x(x_ends[column + 1]) - x(x_ends[column]),
                       y(y_ends[row]) - y(y_ends[row + 1]), colour_at(effect.values[i], largest));
  }
  svg += "</g>\n";
  const auto sign = [&](auto at, const char* mark) {
    const auto i = static_cast<std::size_t>(at - effect.values.begin());
    svg += text(x(effect.coordinates[0][i]), y(effect.coordinates[1][i]) + 6, "middle",
                fmt::format("{}{}", mark, readable(std::abs(*at))),
                " font-size=\"14\" font-weight=\"bold\" stroke=\"#ffffff\" stroke-width=\"3\" "
                "paint-order=\"stroke\"");
  };
  const auto [lowest, highest] = std::ranges::minmax_element(effect.values);
  if (*lowest < 0) sign(lowest, "−");
  if (*highest > 0) sign(highest, "+");
  return svg + axes(x, y, {}, effect.features[0], effect.features[1]);
}

}  // namespace

std::string effects_svg(std::span<const DrawnEffect> effects, int columns) {
  const int across = std::clamp(static_cast<int>(effects.size()), 1, columns);
  const int down = (static_cast<int>(effects.size()) + across - 1) / across;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"#1d2430\" role=\"img\" "
      "aria-label=\"Effects of the model\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      across * panel_width, down * panel_height);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const double x = static_cast<double>(i % static_cast<std::size_t>(across)) * panel_width;
    const double y = static_cast<double>(i / static_cast<std::size_t>(across)) * panel_height;
    svg += fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n", x, y);
    svg += text(panel_width / 2, 18, "middle", shortened(effect_name(effects[i]), 52),
                " font-size=\"12\" font-weight=\"600\"");
    svg += effects[i].features.size() == 1 ? curve(effects[i]) : surface(effects[i]);
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace kore::report
