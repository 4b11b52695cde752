#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "kore/table_model.hpp"
#include "table/frame.hpp"

namespace kore::python {

/// Names and values of the columns of an explained table, and warnings about its rows.
using ExplainedColumns = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, Result>>;
std::pair<ExplainedColumns, std::vector<std::string>> explain_frame(const table::TableModel& fitted,
                                                                    const table::Frame& frame, bool raw,
                                                                    int threads);

/// For each effect, the names of the columns that it is of.
std::vector<std::vector<std::string>> effect_columns(const table::TableModel& fitted);

/// The share of each column by its name; columns that were left out have none.
std::vector<std::pair<std::string, double>> column_shares(const table::TableModel& fitted);

}  // namespace kore::python
