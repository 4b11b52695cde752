#pragma once

#include <string>
#include <vector>

#include "report/term_chart.hpp"

/// The frame of one panel of a drawing: from numbers to places, ticks with their labels, titles.
namespace kore::report::svg {

inline constexpr double panel_width = 340;
inline constexpr double panel_height = 260;
inline constexpr double left = 62;
inline constexpr double top = 30;
inline constexpr double right = 14;
inline constexpr double bottom = 44;

/// From numbers to places within a panel.
struct Scale {
  double lowest = 0;
  double highest = 1;
  double first = 0;  ///< Where the lowest value is, in points; `last` may be smaller.
  double last = 1;

  double operator()(double value) const {
    return highest > lowest ? first + (value - lowest) / (highest - lowest) * (last - first)
                            : (first + last) / 2;
  }
};
/// Along the bottom of a panel, and up its left side.
Scale across(double lowest, double highest);
Scale upwards(double lowest, double highest);

struct Tick {
  double at = 0;
  std::string label;
};
/// Round numbers at equal distances; years without commas, days as dates.
std::vector<Tick> ticks_of(const Scale& scale, Units units = Units::numbers, bool years = false);
/// Levels at 0, 1, 2, ...; none where they are too many to be read.
std::vector<Tick> named_ticks(const std::vector<std::string>& names, std::size_t letters);

std::string text(double x, double y, const char* anchor, const std::string& words,
                 const std::string& more = "");
std::string line(double x, double y, double to_x, double to_y, const char* style);
/// Both axes with their ticks and titles.
std::string axes(const Scale& x, const Scale& y, const std::vector<Tick>& x_ticks,
                 const std::vector<Tick>& y_ticks, const std::string& x_title, const std::string& y_title);

}  // namespace kore::report::svg
