#pragma once

#include <functional>

#include "c_interface/handles.hpp"
#include "c_interface/requests.hpp"
#include "kore/rows.hpp"
#include "table/frame.hpp"
#include "table/table_summary.hpp"

namespace kore::c_interface {

/// The parts of a table that a fit needs, without the rows that have no target.
struct TrainingTable {
  table::Frame features;
  std::vector<bool> categorical;  ///< Per feature.
  std::vector<double> target;     ///< Over its exposure, or without its offset.
  std::vector<double> weights;    ///< Empty: all one.
  std::vector<double> groups;     ///< Empty: every row is its own.
  std::vector<double> known;      ///< Exposures or offsets, as they are in the table; empty: none.
  table::TableSummary summary;    ///< Without the features.
};
/// Throws `invalid_argument` for unknown columns, `invalid_data` for a target or weights that are no numbers
/// and for weights, offsets and groups that are missing.
TrainingTable training_table(const table::Frame& frame, const FitRequest& request);

/// Fits as the command does. `progress` may throw to end the fit.
AnyModel fit(const table::Frame& frame, FitRequest request, std::function<void()> progress);

/// Of the rows that have a target, in the order of the table; missing where a row has none. Residuals are
/// target minus prediction: of the model, and of the fit to all other rows, given its terms and penalties.
struct RowResiduals {
  std::vector<double> fitted;
  std::vector<double> left_out;
};
RowResiduals residuals(const table::TableModel& fitted, const table::Frame& frame, const FitRequest& request);

/// Writes the report of a model on these rows.
void write_report(const table::TableModel& fitted, const table::Frame& frame, const FitRequest& request,
                  const std::string& path);

}  // namespace kore::c_interface
