#pragma once

#include <span>
#include <string>

#include "report/effect_chart.hpp"

namespace kore::report {

/// Effects as one drawing in SVG that needs no script and no network: curves with their bands, and surfaces
/// as coloured fields with a plus where they are highest and a minus where they are lowest. For notebooks
/// that show no Vega-Lite, for pages made of notebooks, and for documents.
std::string effects_svg(std::span<const DrawnEffect> effects, int columns);

}  // namespace kore::report
