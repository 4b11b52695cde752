#pragma once

#include <map>

#include "kore/selector.hpp"
#include "report/page.hpp"

/// The paper's conceptual figure with real numbers, in two charts over the same axis of resolutions.
namespace kore::report {

/// How one family's resolution was solved for.
struct SolvedResolution {
  Selection selection;
  BasisCount size;
  double n = 0;
  double beta = 4;
  std::map<int, double> others;  ///< Leave-one-out errors that the selector did not ask for, if known.
  std::string loss = "leave-one-out error (mean square)";  ///< Of left-out rows, as the axis names it.
};

/// The leave-one-out errors, what each was measured for, and the curve that the two pilots determine. Without
/// a usable law there are only points.
Json measured_chart(const SolvedResolution& solved);

/// What the law makes of the pilots: squared bias falls, variance rises, and their sum has its minimum at the
/// plug-in. Needs a usable law.
Json law_chart(const SolvedResolution& solved);

}  // namespace kore::report
