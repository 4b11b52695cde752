#pragma once

#include <string>

#include "cli/model_rows.hpp"
#include "story/json.hpp"

namespace kore::cli {

/// The errors of a model on another table, which had no part in the fit.
struct TestErrors {
  std::string data;
  Accuracy accuracy;
};
TestErrors errors_on(const RowsOfTable& table, const table::TableModel& fitted, const OutputAndModel& others);

/// One line, beside the error that the model states.
std::string test_line(const TestErrors& test, const FitSummary& summary);
story::Json test_json(const TestErrors& test);

}  // namespace kore::cli
