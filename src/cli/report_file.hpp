#pragma once

#include <optional>
#include <string>

#include "cli/progress.hpp"
#include "report/model_report.hpp"

namespace kore::cli {

/// Finds out early that a report could not be written: the place cannot be written, or holds something that
/// is no HTML page and would be lost.
void check_report_place(const std::string& output);

/// Writes the report of a model with what `source` tells of it. With `compare`, `rows` (the same ones, in
/// memory) are fitted in the classical ways, too.
void write_report_on(const data::TableModel& fitted, const RowSource& source,
                     const std::optional<RowBlock>& rows, bool compare, int threads,
                     const std::string& output, ProgressLine& progress);

/// What is said of a written report: its name and size.
std::string report_line(const std::string& output);

}  // namespace kore::cli
