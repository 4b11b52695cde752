#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/drawing.hpp"

/// The most important terms of a model as charts outside of its report: in notebooks, on a page of their own,
/// in drawings.
namespace kore::report {

struct DrawnTerm {
  std::string name;  ///< "age", "age × sex", "age × sex at town = Bonn".
  double share = 0;  ///< Of the variance of the fitted values; those of all terms add up to one.
  std::variant<DrawnCurve, DrawnLevels, DrawnSurface> drawn;
};

/// The `most` terms with the largest shares. A triple is several surfaces in the same colours, and effects of
/// single values are part of their curve.
std::vector<DrawnTerm> drawn_terms(const Subject& subject, std::size_t most);
/// How many terms can be drawn.
std::size_t drawable_terms(const Decomposition& shown);

/// "age × sex at town = Bonn (12.3 %)".
std::string term_title(const DrawnTerm& term);
/// The chart with its title and its description in words.
Panel term_panel(const DrawnTerm& term);

/// Charts side by side as one specification that needs no page: with the colours of a light page written out,
/// and of a fixed size. For notebooks.
Json standalone(const std::vector<Panel>& panels, int columns);

}  // namespace kore::report
