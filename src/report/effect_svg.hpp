#pragma once

#include <span>
#include <string>

#include "report/term_panels.hpp"

namespace kore::report {

/// Effects as one drawing in SVG that needs no script and no network: curves with their bands, levels by
/// their names, and surfaces as coloured fields with a plus where they are highest and a minus where they are
/// lowest. For notebooks that show no Vega-Lite, for pages made of notebooks, and for documents.
std::string effects_svg(std::span<const DrawnTerm> terms, int columns);

}  // namespace kore::report
