#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/fit.hpp"

namespace kore::table {

/// What a user says about the curves of single columns.
struct CurveChoices {
  std::vector<std::string> linear;  ///< A straight line in place of a curve.
  /// Values begin again after a period, as hours do after 24; with 0 in place of the period, their range
  /// tells it where it can (`period_of`).
  std::vector<std::pair<std::string, double>> cyclic;
  std::vector<std::pair<std::string, int>>
      max_resolutions;  ///< The largest resolution of curve and surfaces.
};

/// Sets the options that follow from these choices; after `set_feature_options`, and with the summaries that
/// the encoding was made from. Throws `invalid_argument` for a name that is no column, for a column that has
/// no curve, and for choices that contradict each other or the profile.
void set_curves(Options& options, const Encoding& encoding, std::span<const ColumnSummary> columns,
                const CurveChoices& choices);

/// After how much the values of a column begin again: one more than their range where they are whole numbers
/// that begin at 0 or 1, as 24 for the hours 0 to 23. Other values do not tell: the ends of a range of
/// degrees depend on the rows. Throws `invalid_argument` for those.
double period_of(const ColumnSummary& column);

}  // namespace kore::table
