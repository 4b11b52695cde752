#pragma once

#include <memory>
#include <string>

#include "kore/rows.hpp"
#include "kore/table_model.hpp"

/// The rows of a table with their targets, as a model that is there already encodes them.
namespace kore::cli {

struct RowsOfTable {
  std::string data;
  std::string weights = {};
  std::string precision = {};
  int threads = 0;
};

/// The columns of the model and its target, whatever else the table has.
table::ColumnChoice columns_of(const table::TableModel& fitted, const RowsOfTable& table);

/// What must not be among the files that are read.
struct OutputAndModel {
  std::string output;
  std::string model = {};
};
/// In memory, or read again in every pass where that would take too much of it.
std::unique_ptr<RowSource> read_rows(const RowsOfTable& table, const table::TableModel& fitted,
                                     const OutputAndModel& others);

}  // namespace kore::cli
