#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fit/compare.hpp"
#include "kore/table_model.hpp"
#include "report/observed.hpp"
#include "report/page.hpp"

/// The report: one page that explains a fitted model to people who decide by it.
namespace kore::report {

/// What a report is about.
struct Subject {
  const table::TableModel& fitted;
  const Observed* observed = nullptr;  ///< Counts of rows; if null, the parts that need rows say so.
  std::vector<ComparedMethod> compared = {};
  Decomposition shown = decomposition(fitted.model);  ///< The effects.
};

Page model_page(const Subject& subject);

/// Writes the page; a report that is interrupted leaves an earlier one whole. Throws `io`.
void write_report(const Subject& subject, const std::filesystem::path& path);

}  // namespace kore::report
