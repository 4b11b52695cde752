#pragma once

#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "report/model_report.hpp"

namespace kore::cli {

/// Finds out early that a report could not be written: the place cannot be written, or holds something that
/// is no HTML page and would be lost.
void check_report_place(const std::string& output);

/// Writes the report of a model with what `source` tells of it, and with what other methods have chosen, if
/// they were asked.
void write_report_on(const table::TableModel& fitted, const RowSource& source,
                     std::vector<ComparedMethod> compared, int threads, const std::string& output,
                     ProgressLine& progress);

/// What is said of a written report: its name and size.
std::string report_line(const std::string& output);

}  // namespace kore::cli
