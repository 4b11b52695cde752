#include "c_interface/training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/parallel.hpp"
#include "kore/error.hpp"
#include "kore/precision.hpp"
#include "report/model_report.hpp"
#include "table/groups.hpp"
#include "table/summarize_frame.hpp"

namespace kore::c_interface {
namespace {

using table::Column;
using table::Frame;

/// A column of numbers; texts that are numbers, or yes and no, are read as such.
std::vector<double> numbers_of(const Column& column, std::size_t rows) {
  const Column numbers = table::as_numbers(column, table::ColumnType::number, rows);
  std::vector<double> values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = numbers.numbers[row];
  return values;
}

template <class Value>
std::vector<Value> picked(const std::vector<Value>& values, const std::vector<std::size_t>& rows) {
  std::vector<Value> result;
  result.reserve(rows.size());
  for (const std::size_t row : rows) result.push_back(values[row]);
  return result;
}

/// The column at these rows. It owns what it copies and keeps the owner of the rest.
Column picked(const Column& column, const std::vector<std::size_t>& rows) {
  if (!column.is_text()) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const std::size_t row : rows) values.push_back(column.numbers[row]);
    Column result = table::owned_numbers(column.name, column.type, std::move(values));
    result.declared_category = column.declared_category;
    return result;
  }
  struct Owner {
    std::vector<std::int32_t> codes;
    std::shared_ptr<const void> before;
  };
  auto owner = std::make_shared<Owner>();
  owner->before = column.owner;
  for (const std::size_t row : rows) owner->codes.push_back(column.codes[row]);
  Column result = column;
  result.codes = owner->codes;
  result.owner = owner;
  return result;
}

void refuse_gaps(const std::vector<double>& values, const std::string& name) {
  const auto missing = std::ranges::count_if(values, [](double value) { return std::isnan(value); });
  if (missing > 0)
    throw Error(ErrorCode::invalid_data, "missing_weights",
                "The weights '{column}' are missing in {rows} rows.", {{"column", name}, {"rows", missing}});
}

MemorySource source_of(const TrainingTable& table, const table::EncodedFrame& encoded) {
  return {encoded.x, table.target, table.weights, table.groups};
}

}  // namespace

TrainingTable training_table(const Frame& frame, const FitRequest& request) {
  const table::ChosenColumns chosen = table::choose_columns(frame.names(), request.columns, request.origin);
  TrainingTable result;
  const std::vector<double> target = numbers_of(frame.columns[chosen.target], frame.rows);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < frame.rows; ++row)
    if (!std::isnan(target[row])) rows.push_back(row);
  result.missing_target = frame.rows - rows.size();
  result.target = picked(target, rows);
  if (chosen.weights) {
    const Column& column = frame.columns[*chosen.weights];
    result.weights = picked(numbers_of(column, frame.rows), rows);
    refuse_gaps(result.weights, column.name);
    if (!request.columns.precision.empty()) result.weights = precision_weights(result.weights);
  }
  if (chosen.group) {
    const Column& column = frame.columns[*chosen.group];
    result.groups = picked(table::groups_of(column, frame.rows), rows);
    const auto missing = std::ranges::count_if(result.groups, [](double group) { return std::isnan(group); });
    if (missing > 0)
      table::refuse_missing_groups(column.name, static_cast<std::uint64_t>(missing), request.origin);
  }
  result.features.rows = rows.size();
  for (const std::size_t c : chosen.features)
    result.features.columns.push_back(result.missing_target == 0 ? frame.columns[c]
                                                                 : picked(frame.columns[c], rows));
  result.categorical = chosen.categorical;
  return result;
}

table::TableModel fit(const Frame& frame, FitRequest request, std::function<void()> progress) {
  const auto start = std::chrono::steady_clock::now();
  const TrainingTable table = training_table(frame, request);
  table::TableSummary summary;
  summary.columns =
      table::summarize(table.features, table.categorical, resolve_threads(request.options.threads));
  summary.rows = table.features.rows;
  summary.missing_target = table.missing_target;
  summary.target = request.columns.target;
  summary.weights = request.columns.weights;
  summary.group = request.columns.group;
  table::Preparation prepared = table::prepare(std::move(summary), request.profile, request.levels);
  const table::EncodedFrame encoded = table::encode(table.features, prepared.encoding);
  const MemorySource source = source_of(table, encoded);
  table::add_notes_on_rows(prepared, source);
  Options options = request.options;
  if (!request.pairs.empty()) options.pairs = table::pairs_of_features(prepared.encoding, request.pairs);
  table::complete(options, prepared);
  if (progress) options.progress = [&progress](const Progress&) { progress(); };
  table::TableModel fitted =
      table::train(prepared, source, options,
                   {request.origin, start, [](const Message& note) { return note.sentence(); }});
  for (const table::ColumnSummary& column : prepared.summary.columns)
    fitted.facts.columns.push_back(column.name);
  return fitted;
}

void write_report(const table::TableModel& fitted, const Frame& frame, const FitRequest& request,
                  const std::string& path) {
  const TrainingTable table = training_table(frame, request);
  const table::EncodedFrame encoded = table::encode(table.features, fitted.encoding);
  const report::Observed observed =
      report::observe(source_of(table, encoded), fitted.model, request.options.threads);
  report::write_report({fitted, &observed}, path);
}

}  // namespace kore::c_interface
