#pragma once

#include <functional>

#include "c_interface/requests.hpp"
#include "kore/rows.hpp"
#include "kore/table_model.hpp"
#include "table/encode_frame.hpp"
#include "table/frame.hpp"

namespace kore::c_interface {

/// The parts of a table that a fit needs, without the rows that have no target.
struct TrainingTable {
  table::Frame features;
  std::vector<bool> categorical;  ///< Per feature.
  std::vector<double> target;
  std::vector<double> weights;  ///< Empty: all one.
  std::vector<double> groups;   ///< Empty: every row is its own.
  std::uint64_t missing_target = 0;
};
/// Throws `invalid_argument` for unknown columns, `invalid_data` for a target or weights that are no numbers
/// and for weights and groups that are missing.
TrainingTable training_table(const table::Frame& frame, const FitRequest& request);

/// Fits as the command does. `progress` may throw to end the fit.
table::TableModel fit(const table::Frame& frame, FitRequest request, std::function<void()> progress);

/// Writes the report of a model on these rows.
void write_report(const table::TableModel& fitted, const table::Frame& frame, const FitRequest& request,
                  const std::string& path);

}  // namespace kore::c_interface
