#pragma once

#include <string>
#include <vector>

#include "arrow/columns.hpp"
#include "c_interface/handles.hpp"
#include "c_interface/requests.hpp"
#include "table/frame.hpp"

namespace kore::c_interface {

/// What was asked for of every row, and what to be careful about, as sentences.
struct Predictions {
  std::vector<arrow::NamedNumbers> columns;
  std::vector<std::string> warnings;
};
Predictions predictions(const AnyModel& model, const table::Frame& frame, const PredictRequest& request);

}  // namespace kore::c_interface
