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
};

/// A line for one feature, coloured fields for two. Effects are deviations from the mean.
Json effect_chart(const DrawnEffect& effect);
/// The chart with its title and its description in words.
Panel effect_panel(const DrawnEffect& effect);

/// Charts side by side as one specification that needs no page: with the colours of a light page written out,
/// and of a fixed size. For notebooks.
Json standalone(const std::vector<Panel>& panels, int columns);

}  // namespace kore::report
