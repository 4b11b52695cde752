#pragma once

#include <string>
#include <vector>

#include "report/page.hpp"

namespace kore::report {

/// An effect as it is drawn: the points of a curve, or the grid of a surface, the last coordinate fastest.
struct DrawnEffect {
  std::vector<std::string> features;
  std::string target;
  double share = 0;  ///< Of the variance of the fitted values.
  std::vector<std::vector<double>> coordinates;
  std::vector<double> values;
  std::string slice = {};  ///< Of an effect with one more feature: where it is held, "c = 3".
  std::vector<double> colours =
      {};                          ///< Lowest and highest effect of the colours; empty: those of the values.
  std::vector<double> lower = {};  ///< Of the 95 % band of a curve; both empty where it is not known.
  std::vector<double> upper = {};
  /// Names of the points of a curve, where they are levels.
  std::vector<std::string> levels = {};
};

/// "age × sex at town = Bonn (12.3 %)".
std::string effect_name(const DrawnEffect& effect);

/// A line for one feature, coloured fields for two. Effects are deviations from the mean.
Json effect_chart(const DrawnEffect& effect);
/// The chart with its title and its description in words.
Panel effect_panel(const DrawnEffect& effect);

/// An effect of three features as surfaces of the first two, one for each value of the third in the grid,
/// which `value_names` calls by name in rising order. All have the same colours.
std::vector<DrawnEffect> slices_of(const DrawnEffect& effect, const std::vector<std::string>& value_names);
std::vector<Panel> slice_panels(const DrawnEffect& effect, const std::vector<std::string>& value_names);

/// Charts side by side as one specification that needs no page: with the colours of a light page written out,
/// and of a fixed size. For notebooks.
Json standalone(const std::vector<Panel>& panels, int columns);

}  // namespace kore::report
