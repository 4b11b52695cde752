#include "c_interface/training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/parallel.hpp"
#include "c_interface/target.hpp"
#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "kore/precision.hpp"
#include "report/model_report.hpp"
#include "table/encode_frame.hpp"
#include "table/groups.hpp"
#include "table/predict_rows.hpp"
#include "table/summarize_frame.hpp"
#include "table/target_values.hpp"

namespace kore::c_interface {
namespace {

using table::Column;
using table::Frame;

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

/// Which columns are what: everything about a table that does not depend on its rows.
table::TableSummary summary_of(const table::ColumnChoice& choice) {
  table::TableSummary summary;
  summary.target = choice.target;
  summary.precisions = !choice.precision.empty();
  summary.weights = summary.precisions ? choice.precision : choice.weights;
  summary.group = choice.group;
  summary.offset = choice.offset;
  summary.offset_use = choice.offset_use;
  summary.exposure = choice.exposure;
  if (!choice.offset.empty() && choice.offset_use == table::OffsetUse::exposure)
    summary.exposure = choice.offset;
  if (!summary.exposure.empty()) {
    summary.precisions = true;
    summary.weights = summary.exposure;
  }
  return summary;
}

/// The offsets of all rows; none may be missing.
std::vector<double> offsets_of(const Column& column, std::size_t rows, const std::string& origin) {
  std::vector<double> offsets = numbers_of(column, rows);
  const auto bad = std::ranges::count_if(offsets, [](double offset) { return !std::isfinite(offset); });
  if (bad > 0) table::refuse_offsets(column.name, static_cast<std::uint64_t>(bad), origin);
  return offsets;
}

/// Weights, precisions or exposures of all rows, as they are in the table; empty where there are none.
std::vector<double> weights_of(const Frame& frame, const table::ChosenColumns& chosen,
                               const table::TableSummary& summary, const std::vector<double>& offsets) {
  if (summary.log_exposure()) {
    std::vector<double> exposures = offsets;
    for (double& exposure : exposures) exposure = std::exp(exposure);
    return exposures;
  }
  return chosen.weights ? numbers_of(frame.columns[*chosen.weights], frame.rows) : std::vector<double>{};
}

/// What a fit is to explain: rates of counts, or the target less its offset.
void take_known_part_out(const std::vector<double>& offsets, const std::vector<double>& weights,
                         const table::TableSummary& summary, std::vector<double>& target) {
  const bool rates = !summary.exposure.empty();
  const bool divided = !rates && !offsets.empty() && summary.offset_use == table::OffsetUse::divided;
  const bool subtracted = !rates && !offsets.empty() && !divided;
  for (std::size_t row = 0; row < target.size(); ++row)
    target[row] = rates        ? target[row] / weights[row]
                  : divided    ? target[row] / std::exp(offsets[row])
                  : subtracted ? target[row] - offsets[row]
                               : target[row];
}

/// The rest of what `choose_family` asks about a target.
void describe_target(const std::vector<double>& target, const std::string& origin,
                     table::TableSummary& summary) {
  summary.rows = target.size();
  if (target.empty()) return;
  const auto [lowest, highest] = std::ranges::minmax(target);
  summary.target_minimum = lowest;
  summary.target_maximum = highest;
  summary.whole_target = std::ranges::all_of(target, [](double y) { return y >= 0 && y == std::trunc(y); });
  const bool finite = std::isfinite(lowest) && std::isfinite(highest);
  if (!finite && !summary.exposure.empty()) table::refuse_zero_exposure(summary.exposure, origin);
  if (!finite) table::refuse_infinite_target(summary.target, origin);
  const bool zero_or_one = std::ranges::all_of(target, [](double y) { return y == 0 || y == 1; });
  if (zero_or_one && summary.target_levels.empty() && summary.exposure.empty())
    summary.target_levels = {"0", "1"};
}

/// Precisions, such as exposures, become weights that add up to the number of rows.
void finish_weights(TrainingTable& table) {
  if (table.weights.empty()) return;
  refuse_gaps(table.weights, table.summary.weights);
  if (!table.summary.precisions) return;
  PrecisionSum sum;
  sum.add(table.weights);
  table.summary.weight_factor = sum.factor();
  table.weights = precision_weights(table.weights);
}

void add_groups(const Column& column, std::size_t all, const std::vector<std::size_t>& rows,
                const std::string& origin, TrainingTable& table) {
  table.groups = picked(table::groups_of(column, all), rows);
  const auto missing = std::ranges::count_if(table.groups, [](double group) { return std::isnan(group); });
  if (missing > 0) table::refuse_missing_groups(column.name, static_cast<std::uint64_t>(missing), origin);
}

std::vector<std::size_t> rows_with_target(const std::vector<double>& target) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < target.size(); ++row)
    if (!std::isnan(target[row])) rows.push_back(row);
  return rows;
}

MemorySource source_of(const TrainingTable& table, const table::EncodedFrame& encoded) {
  return {encoded.x, table.target, table.weights, table.groups};
}

/// A scale or a loss of the normal family is a choice of it.
std::string family_word(const FitRequest& request) {
  if (request.family != "auto" || request.options.is_published()) return request.family;
  const GrownOptions& grown = request.options.grown();
  const bool normal = grown.loss == Loss::robust || request.scale_given;
  return normal ? "normal" : request.family;
}

/// The targets of a model of two values, as it was told them.
FitRequest with_levels_of(const table::TableModel& fitted, FitRequest request) {
  const std::vector<std::string>& levels = fitted.facts.target_levels;
  if (request.columns.positive.empty() && levels.size() == 2 && levels[0] != "0" && levels[0] != "false")
    request.columns.positive = levels[1];
  return request;
}

}  // namespace

TrainingTable training_table(const Frame& frame, const FitRequest& request) {
  const table::ChosenColumns chosen = table::choose_columns(frame.names(), request.columns, request.origin);
  TrainingTable result;
  result.summary = summary_of(request.columns);
  table::TableSummary& summary = result.summary;
  std::vector<double> target =
      read_target(frame.columns[chosen.target], frame.rows, request.columns, request.origin, summary);
  std::vector<double> offsets;
  if (chosen.offset) offsets = offsets_of(frame.columns[*chosen.offset], frame.rows, request.origin);
  const std::vector<double> weights = weights_of(frame, chosen, summary, offsets);
  take_known_part_out(offsets, weights, summary, target);
  const std::vector<std::size_t> rows = rows_with_target(target);
  summary.missing_target = frame.rows - rows.size();
  result.target = picked(target, rows);
  describe_target(result.target, request.origin, summary);
  if (!weights.empty()) result.weights = picked(weights, rows);
  if (!offsets.empty())
    result.known = picked(offsets, rows);
  else if (!summary.exposure.empty())
    result.known = result.weights;
  finish_weights(result);
  if (chosen.group) add_groups(frame.columns[*chosen.group], frame.rows, rows, request.origin, result);
  result.features.rows = rows.size();
  for (const std::size_t c : chosen.features)
    result.features.columns.push_back(summary.missing_target == 0 ? frame.columns[c]
                                                                  : picked(frame.columns[c], rows));
  result.categorical = chosen.categorical;
  return result;
}

AnyModel fit(const Frame& frame, FitRequest request, std::function<void()> progress) {
  const auto start = std::chrono::steady_clock::now();
  TrainingTable table = training_table(frame, request);
  table::TableSummary summary = std::move(table.summary);
  summary.columns =
      table::summarize(table.features, table.categorical, resolve_threads(request.options.threads));
  table::Preparation prepared = table::prepare(std::move(summary), request.profile, request.levels);
  const table::EncodedFrame encoded = table::encode(table.features, prepared.encoding);
  const MemorySource source = source_of(table, encoded);
  table::add_notes_on_rows(prepared, source);
  Options options = request.options;
  table::set_family(options, prepared, table::choose_family(prepared, family_word(request)));
  if (!request.pairs.empty()) options.pairs = table::pairs_of_features(prepared.encoding, request.pairs);
  table::complete(options, prepared);
  table::set_curves(options, prepared.encoding, prepared.summary.columns, request.curves);
  if (progress) options.progress = [&progress](const Progress&) { progress(); };
  const table::FrontFacts front{request.origin, start, [](const Message& note) { return note.sentence(); }};
  const auto name_columns = [&](table::TableModel& fitted) {
    for (const table::ColumnSummary& column : prepared.summary.columns)
      fitted.facts.columns.push_back(column.name);
  };
  if (prepared.summary.has_classes()) {
    table::ClassModel fitted = table::train_classes(prepared, source, options, front);
    for (table::TableModel& one : fitted.models) name_columns(one);
    return fitted;
  }
  table::TableModel fitted = table::train(prepared, source, options, front);
  name_columns(fitted);
  return fitted;
}

RowResiduals residuals(const table::TableModel& fitted, const Frame& frame, const FitRequest& request) {
  const TrainingTable table = training_table(frame, with_levels_of(fitted, request));
  const table::EncodedFrame encoded = table::encode(table.features, fitted.encoding);
  RowResiduals found;
  found.fitted = predict(fitted.model, encoded.x, resolve_threads(request.options.threads));
  for (std::size_t row = 0; row < table.target.size(); ++row)
    found.fitted[row] = table.target[row] - found.fitted[row];
  found.left_out = loo_residuals(source_of(table, encoded), fitted.model, request.options.threads);
  // What was subtracted from a target is no part of a difference; what it was divided by is.
  if (table.known.empty() || fitted.facts.offset_use == table::OffsetUse::subtracted) return found;
  for (std::vector<double>* part : {&found.fitted, &found.left_out})
    for (std::size_t row = 0; row < part->size(); ++row)
      (*part)[row] = table::with_known_part(fitted.facts, (*part)[row], table.known[row]);
  return found;
}

void write_report(const table::TableModel& fitted, const Frame& frame, const FitRequest& request,
                  const std::string& path) {
  const TrainingTable table = training_table(frame, with_levels_of(fitted, request));
  const table::EncodedFrame encoded = table::encode(table.features, fitted.encoding);
  const report::Observed observed =
      report::observe(source_of(table, encoded), fitted.model, request.options.threads);
  report::write_report({fitted, &observed}, path);
}

}  // namespace kore::c_interface
