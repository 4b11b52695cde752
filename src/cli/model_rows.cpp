#include "cli/model_rows.hpp"

#include "base/memory.hpp"
#include "cli/output.hpp"
#include "duckdb/input_files.hpp"
#include "duckdb/scoring.hpp"
#include "duckdb/summarize.hpp"
#include "duckdb/table.hpp"
#include "duckdb/table_source.hpp"
#include "table/training.hpp"

namespace kore::cli {

table::ColumnChoice columns_of(const table::TableModel& fitted, const RowsOfTable& table) {
  table::ColumnChoice choice;
  choice.target = fitted.model.target;
  choice.weights = table.weights;
  choice.precision = table.precision;
  choice.offset = fitted.facts.offset;
  choice.offset_use = fitted.facts.offset_use;
  if (choice.offset.empty()) choice.exposure = fitted.facts.exposure;
  const std::vector<std::string>& levels = fitted.facts.target_levels;
  if (fitted.model.linked() && levels.size() == 2) choice.positive = levels[1];
  for (const table::EncodedColumn& column : fitted.encoding.columns) choice.features.push_back(column.name);
  choice.categorical = duckdb::category_names(fitted.encoding);
  return choice;
}

std::unique_ptr<RowSource> read_rows(const RowsOfTable& wanted, const table::TableModel& fitted,
                                     const OutputAndModel& others) {
  duckdb::ReadOptions reading;
  reading.threads = static_cast<unsigned>(wanted.threads);
  reading.text_columns = duckdb::category_names(fitted.encoding);
  reading.number_columns = {wanted.weights, wanted.precision, fitted.facts.exposure, fitted.facts.offset};
  if (!fitted.model.linked()) reading.number_columns.push_back(fitted.model.target);
  reading.date_format_before = fitted.facts.date_format;
  const duckdb::Table table = duckdb::open_table(wanted.data, reading);
  std::vector<std::string> inputs = duckdb::input_files(table);
  if (!others.model.empty()) inputs.push_back(others.model);
  refuse_input_as_output(others.output, inputs);
  const table::TableSummary summary = duckdb::summarize(table, columns_of(fitted, wanted));
  return table::kept_in_memory(std::make_unique<duckdb::TableSource>(table, fitted.encoding, summary),
                               fitted.encoding, summary, memory_for_rows(default_memory_limit()));
}

}  // namespace kore::cli
