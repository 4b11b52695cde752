#include "report/svg_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "report/numbers.hpp"

namespace kore::report::svg {
namespace {

constexpr int wanted_ticks = 5;
constexpr std::size_t most_named = 14;
constexpr double letter_width = 6;
constexpr const char* axis_style = "stroke=\"#999999\"";

/// One, two or five times a power of ten: the distance of ticks that makes at most as many as wanted.
double step_over(double extent) {
  const double raw = extent / wanted_ticks;
  const double unit = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * unit;
  for (const double times : {5.0, 2.0, 1.0})
    if (times * unit >= raw * (1 - 1e-9)) step = times * unit;
  return step;
}

std::vector<double> round_numbers(double lowest, double highest, double step) {
  // Counted: where a double has no digits left for the step, adding it changes nothing.
  constexpr int most = 4 * wanted_ticks;
  std::vector<double> at;
  const double first = std::ceil(lowest / step);
  for (int i = 0; i < most; ++i) {
    const double tick = (first + i) * step;
    if (!(tick <= highest + step * 1e-9)) break;
    if (!at.empty() && !(tick > at.back())) continue;
    at.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  }
  return at;
}

double day_of(int year, unsigned month) {
  const std::chrono::sys_days day{std::chrono::year{year} / std::chrono::month{month} / 1};
  return static_cast<double>(day.time_since_epoch().count());
}

std::chrono::year_month_day date_of(double day) {
  return std::chrono::sys_days{std::chrono::days{static_cast<std::int64_t>(std::floor(day))}};
}

/// Days, hours or minutes: the shortest of these steps that makes few ticks.
std::vector<Tick> days_and_hours(const Scale& scale) {
  constexpr int minutes_of_day = 24 * 60;
  constexpr std::array steps{1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7200, 14400, 28800};
  const double extent = (scale.highest - scale.lowest) * minutes_of_day;
  const auto fits = [&](int step) { return extent / step <= wanted_ticks; };
  const auto found = std::ranges::find_if(steps, fits);
  const int step = found == steps.end() ? steps.back() : *found;
  const auto first = static_cast<std::int64_t>(std::ceil(scale.lowest * minutes_of_day / step - 1e-9));
  const auto last = static_cast<std::int64_t>(std::floor(scale.highest * minutes_of_day / step + 1e-9));
  std::vector<Tick> ticks;
  for (std::int64_t i = first; i <= last; ++i) {
    const std::int64_t minute = i * step;
    const auto day = static_cast<double>(minute) / minutes_of_day;
    const std::chrono::year_month_day date = date_of(day);
    const std::int64_t of_day = ((minute % minutes_of_day) + minutes_of_day) % minutes_of_day;
    std::string label = fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()),
                                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    if (step < minutes_of_day) label += fmt::format(" {:02}:{:02}", of_day / 60, of_day % 60);
    ticks.push_back({day, std::move(label)});
  }
  return ticks;
}

/// Beginnings of years or, within a year or two, of months.
std::vector<Tick> dates(const Scale& scale) {
  constexpr double few_days = 60;
  constexpr double few_years = 3 * 366;
  constexpr double far = 1e6;  // days: beyond it there are no years of four digits
  const double extent = scale.highest - scale.lowest;
  if (!(extent >= 0) || std::max(std::abs(scale.lowest), std::abs(scale.highest)) > far) return {};
  if (extent < few_days) return days_and_hours(scale);
  const int first = static_cast<int>(date_of(scale.lowest).year());
  const int last = static_cast<int>(date_of(scale.highest).year());
  std::vector<Tick> ticks;
  const auto add = [&](int year, unsigned month, const std::string& label) {
    const double day = day_of(year, month);
    if (day >= scale.lowest && day <= scale.highest) ticks.push_back({day, label});
  };
  if (extent > few_years) {
    const int step = std::max(1, static_cast<int>(step_over(static_cast<double>(last - first))));
    for (int year = first - first % step; year <= last; year += step) add(year, 1, std::to_string(year));
    return ticks;
  }
  const unsigned step = extent > 400 ? 6 : extent > 200 ? 3 : 1;
  for (int year = first; year <= last; ++year)
    for (unsigned month = 1; month <= 12; month += step)
      add(year, month, fmt::format("{}-{:02}", year, month));
  return ticks;
}

}  // namespace

Scale across(double lowest, double highest) { return {lowest, highest, left, panel_width - right}; }
Scale upwards(double lowest, double highest) { return {lowest, highest, panel_height - bottom, top}; }

std::vector<Tick> ticks_of(const Scale& scale, Units units, bool years) {
  if (units == Units::days) return dates(scale);
  const double extent = scale.highest - scale.lowest;
  if (!(extent > 0) || !std::isfinite(extent)) return {{scale.lowest, readable(scale.lowest)}};
  const double step = years ? std::max(1.0, step_over(extent)) : step_over(extent);
  std::vector<Tick> ticks;
  for (const double at : round_numbers(scale.lowest, scale.highest, step)) {
    std::string label = years ? fmt::format("{:.0f}", at) : precise(at, 10 * step);
    if (ticks.empty() || ticks.back().label != label) ticks.push_back({at, std::move(label)});
  }
  return ticks;
}

std::vector<Tick> named_ticks(const std::vector<std::string>& names, std::size_t letters) {
  std::vector<Tick> ticks;
  if (names.size() > most_named) return {};
  for (const std::string& name : shortened_apart(names, letters))
    ticks.push_back({static_cast<double>(ticks.size()), name});
  return ticks;
}

std::string text(double x, double y, const char* anchor, const std::string& words, const std::string& more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escaped(words));
}

std::string line(double x, double y, double to_x, double to_y, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x, y, to_x, to_y,
                     style);
}

std::string axes(const Scale& x, const Scale& y, const std::vector<Tick>& x_ticks,
                 const std::vector<Tick>& y_ticks, const std::string& x_title, const std::string& y_title) {
  std::string svg = line(x.first, y.first, x.last, y.first, axis_style) +
                    line(x.first, y.first, x.first, y.last, axis_style);
  double free_from = -1e9;  // labels do not overlap
  for (const Tick& tick : x_ticks) {
    svg += line(x(tick.at), y.first, x(tick.at), y.first + 4, axis_style);
    const double half = letter_width * static_cast<double>(tick.label.size()) / 2;
    if (x(tick.at) - half < free_from) continue;
    free_from = x(tick.at) + half + letter_width;
    svg += text(x(tick.at), y.first + 16, "middle", tick.label);
  }
  for (const Tick& tick : y_ticks)
    svg += line(x.first - 4, y(tick.at), x.first, y(tick.at), axis_style) +
           text(x.first - 7, y(tick.at) + 4, "end", tick.label);
  svg += text((x.first + x.last) / 2, panel_height - 8, "middle", shortened(x_title, 40));
  const double middle = (y.first + y.last) / 2;
  return svg + text(13, middle, "middle", shortened(y_title, 30),
                    fmt::format(" transform=\"rotate(-90 13 {:.1f})\"", middle));
}

}  // namespace kore::report::svg
