#pragma once

#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "report/model_report.hpp"

namespace kore::cli {

/// Throws early where a report could not be written: the path cannot be written, or it is a file that is not
/// an HTML page and would be lost.
void check_report_place(const std::string& output);

/// Writes the report of a model with the errors on the rows of `source`, and with the choices of other
/// methods, if given.
void write_report_on(const table::TableModel& fitted, const RowSource& source,
                     std::vector<ComparedMethod> compared, int threads, const std::string& output,
                     ProgressLine& progress);

/// The message about a written report: its name and size.
std::string report_line(const std::string& output);

}  // namespace kore::cli
