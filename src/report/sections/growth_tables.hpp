#pragma once

#include "report/model_report.hpp"

/// Tables of the appendix: what the model grew from.
namespace kore::report {

/// The models that were compared, with what decided between them; without rows where there was no choice.
DataTable stages_table(const FitSummary& summary);
/// The interactions that were scored before they were tried.
DataTable screened_table(const Model& model);
/// The paper's check of the pilots, and others, each with what is wanted.
DataTable checks_table(const Model& model);
/// The classical ways to choose a model, on the same rows.
DataTable ladder_table(const std::vector<ComparedMethod>& compared);
/// Structure, size and cost.
DataTable size_table(const table::TableModel& fitted);

}  // namespace kore::report
