#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/observed.hpp"
#include "report/page.hpp"

/// One term of a model as a chart: a curve with its band, the levels of a category, a surface. Effects are
/// deviations from the mean, in the target's units.
namespace kore::report {

/// What the numbers of a column are.
enum class Units { numbers, days };  ///< Days since 1970-01-01, drawn as dates.

struct DrawnCurve {
  std::string feature;
  std::string target;
  Units units = Units::numbers;
  std::vector<double> x;
  std::vector<double> effect;
  std::vector<double> lower;  ///< Of the 95 % band; both empty where it is not known.
  std::vector<double> upper;
  Histogram data;  ///< Where the rows lie; without counts where they are not known.
  double least_span =
      0;  ///< The least span of the axis of effects, so that a tiny effect does not look large.
  /// Single values that have effects of their own, and these with the curve's; both empty where there are
  /// none.
  std::vector<double> value_places = {};
  std::vector<double> value_effects = {};
  /// Where nearly all rows lie, if that is much less than all of `x`: what the axes show until a reader asks
  /// for the whole range.
  std::optional<Range> central = {};
  bool years = false;   ///< The numbers are years, which have no commas.
  bool single = false;  ///< `x` are the few whole numbers that there are: points in place of a curve.
};
/// What a reader sees of the values: those within `central`.
std::vector<double> effects_in_view(const DrawnCurve& curve);
Json curve_chart(const DrawnCurve& curve);

struct DrawnLevel {
  std::string name;
  double effect = 0;
  double lower = 0;
  double upper = 0;
  double rows = -1;  ///< Negative where it is not known.
};
struct DrawnLevels {
  std::string feature;
  std::string target;
  bool bands = false;
  std::vector<DrawnLevel> levels;
  double least_span = 0;  ///< As of a curve.
};
/// If there are more levels, those with the highest and the lowest effects are shown.
inline constexpr std::size_t most_bars_of_levels = 60;
/// A bar for each level, the largest effect on top.
Json levels_chart(DrawnLevels drawn);

/// A side of a surface: points, or the names of levels.
struct DrawnSide {
  std::string feature;
  Units units = Units::numbers;
  std::vector<double> points;
  std::vector<std::string> levels;
  std::vector<double> single = {};  ///< The few whole numbers that the feature has; empty: others, too.
  bool years = false;               ///< As of a curve.

  std::size_t size() const { return levels.empty() ? points.size() : levels.size(); }
};
struct DrawnSurface {
  DrawnSide x;
  DrawnSide y;
  std::string target;
  std::vector<double> values;  ///< [x][y]
  std::vector<double> rows;    ///< In the field around each point; empty where it is not known.
  /// Between the steps of colour; empty: by `heat_limits` of the values. Charts to be compared share them.
  std::vector<double> limits = {};
  std::vector<double> reach = {};  ///< Of the 95 % band, to both sides of a value; empty: not known.
};
/// Fields in nine steps of colour around zero, with lines between the steps. Where there are few rows nearby
/// the colour is faint, because the value follows from smoothness alone.
Json surface_chart(const DrawnSurface& surface);

/// The same with a few levels along `y`: a line with its band for each of them. Where there are no rows
/// nearby it is faint.
Json lines_chart(const DrawnSurface& surface);
/// Whether one side has few levels beside numbers, so that a line for each says more than coloured fields.
bool drawn_as_lines(const DrawnSurface& surface);
/// Lines there, coloured fields otherwise.
Json pair_chart(const DrawnSurface& surface);

/// The values of a surface where rows lie nearby; all of them where that is not known. Elsewhere a surface
/// may reach far, and would flatten what is seen of it.
std::vector<double> supported_values(const DrawnSurface& surface);

/// The eight limits between nine steps of colour: even ones around zero that reach as far as the values do.
std::vector<double> heat_limits(const std::vector<double>& values);

}  // namespace kore::report
