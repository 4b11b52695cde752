#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "report/page.hpp"

/// What charts have in common, in Vega-Lite. Colours are the page's; a spec is plain data that can be tested
/// as such.
namespace kore::report {

/// Layers over the same rows, as wide as their place on the page.
Json layered(Json rows, std::vector<Json> layers, int height = 280);

Json layer(Json mark, Json encoding);
/// A layer with rows of its own.
Json layer(Json mark, Json encoding, Json rows);

/// A column of numbers; the axis need not begin at zero.
Json linear(std::string_view field, std::string_view title);
/// On a logarithmic axis, with labels at the given values, or where Vega puts them.
Json logarithmic(std::string_view field, std::string_view title, const std::vector<double>& labels = {});
/// A column of names, in the order of the rows.
Json names(std::string_view field, std::string_view title);
/// A fixed position of a mark, which is not in the rows.
Json fixed_at(double value);

/// Colour, shape or dashes of series, given by name: the first name has the first colour in every chart.
/// Without `legend`, another layer explains the series.
Json colours(std::string_view field, std::string_view title, const std::vector<std::string>& series);
Json shapes(std::string_view field, std::string_view title, const std::vector<std::string>& series);
/// The n-th colour of the page, counted from 1.
std::string colour(int number);

/// What is shown under the pointer: field and title.
struct Hint {
  std::string field;
  std::string title;
  std::string format;  ///< As in d3-format; empty for text.
};
Json hints(std::initializer_list<Hint> list);

/// One value per name as a point with a stem that begins at `reference`, and its number beside it.
struct Stems {
  std::string name;   ///< Field of the name.
  std::string value;  ///< Field of the value.
  std::string title;  ///< Of the value.
  double reference = 1;
  std::string format = ".3f";
  bool ratios = false;  ///< On a logarithmic axis, for those that differ by a factor.
};
Json stems(Json rows, const Stems& what);

}  // namespace kore::report
