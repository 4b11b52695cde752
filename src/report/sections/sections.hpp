#pragma once

#include <vector>

#include "report/model_report.hpp"

/// The parts of a report, one file each. A section without blocks is left out.
namespace kore::report {

/// What was fitted, how good it is and whether to use it.
std::vector<Block> head(const Subject& subject);

/// Errors on new rows, and observed against predicted values.
Section accuracy_section(const Subject& subject);
/// Errors against the number of terms.
Section simplicity_section(const Subject& subject);
/// The columns, and what was noticed about them.
Section profile_section(const Subject& subject);
Section what_if_section(const Subject& subject);
Section importance_section(const Subject& subject);
/// Effects with a smaller share, both alone and beside the others, are folded away.
inline constexpr double least_shown_share = 0.005;
bool is_worth_showing(const Effect& effect);
Section effects_section(const Subject& subject);
Section interactions_section(const Subject& subject);
/// The appendix: how the resolution was solved for, and what grew from it.
Section resolution_section(const Subject& subject);
/// Predicted and observed means of a family other than the normal one: calibration, ROC, counts, gains.
Section calibration_section(const Subject& subject);
/// Intervals, rows that decide too much, and errors of rows.
Section diagnostics_section(const Subject& subject);
/// What the law expects of more rows.
Section more_data_section(const Subject& subject);

}  // namespace kore::report
