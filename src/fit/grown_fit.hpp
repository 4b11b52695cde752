#pragma once

#include "kore/fit.hpp"

namespace kore {

/// The default profile's fit: coordinates, growth, and the chosen structure on all rows.
Model grown_fit(const RowSource& source, const Options& options, const Names& names);
Diagnosis diagnose_grown(const RowSource& source, Options options, const Names& names);

/// What the chosen model saves of the LOO error of straight lines, with advice where that is next to nothing.
void compare_with_lines(Diagnosis& diagnosis, double loo, double linear_loo);

}  // namespace kore
