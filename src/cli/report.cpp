#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/memory.hpp"
#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/model_argument.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report_file.hpp"
#include "cli/training.hpp"
#include "cli/whole_number.hpp"
#include "duckdb/input_files.hpp"
#include "duckdb/scoring.hpp"
#include "duckdb/summarize.hpp"
#include "duckdb/table.hpp"
#include "duckdb/table_source.hpp"
#include "kore/error.hpp"
#include "kore/table_model.hpp"

namespace kore::cli {
namespace {

struct ReportArguments {
  ModelArgument model;
  std::string data;
  std::string output = "report.html";
  std::string weights;
  std::string precision;
  bool compare = false;
  int threads = 0;
  bool quiet = false;
};

/// The columns of the model and its target, whatever else the table has.
table::ColumnChoice columns_of(const table::TableModel& fitted, const ReportArguments& arguments) {
  table::ColumnChoice choice;
  choice.target = fitted.model.target;
  choice.weights = arguments.weights;
  choice.precision = arguments.precision;
  choice.offset = fitted.facts.offset;
  choice.offset_use = fitted.facts.offset_use;
  if (choice.offset.empty()) choice.exposure = fitted.facts.exposure;
  const std::vector<std::string>& levels = fitted.facts.target_levels;
  if (fitted.model.linked() && levels.size() == 2) choice.positive = levels[1];
  for (const table::EncodedColumn& column : fitted.encoding.columns) choice.features.push_back(column.name);
  choice.categorical = duckdb::category_names(fitted.encoding);
  return choice;
}

/// In memory, or read again in every pass where that would take too much of it.
std::unique_ptr<RowSource> read_rows(const ReportArguments& arguments, const table::TableModel& fitted) {
  duckdb::ReadOptions reading;
  reading.threads = static_cast<unsigned>(arguments.threads);
  reading.text_columns = duckdb::category_names(fitted.encoding);
  reading.number_columns = {arguments.weights, arguments.precision, fitted.facts.exposure,
                            fitted.facts.offset};
  if (!fitted.model.linked()) reading.number_columns.push_back(fitted.model.target);
  reading.date_format_before = fitted.facts.date_format;
  const duckdb::Table table = duckdb::open_table(arguments.data, reading);
  std::vector<std::string> inputs = duckdb::input_files(table);
  inputs.push_back(arguments.model.file);
  refuse_input_as_output(arguments.output, inputs);
  const table::TableSummary summary = duckdb::summarize(table, columns_of(fitted, arguments));
  return table::kept_in_memory(std::make_unique<duckdb::TableSource>(table, fitted.encoding, summary),
                               fitted.encoding, summary, memory_for_rows(default_memory_limit()));
}

/// What `kore compare` finds on the same columns, if it was asked for.
std::vector<ComparedMethod> compared(const ReportArguments& arguments, const table::TableModel& fitted,
                                     ProgressLine& progress) {
  if (!arguments.compare) return {};
  const table::ColumnChoice columns = columns_of(fitted, arguments);
  TrainingArguments training;
  training.data = arguments.data;
  training.columns.target = columns.target;
  training.columns.weights = columns.weights;
  training.columns.precision = columns.precision;
  training.features = columns.features;
  training.categorical = columns.categorical;
  training.degree = fitted.model.design.degree();
  training.profile = table::profile_named(fitted.facts.profile);
  training.threads = arguments.threads;
  return compare_on(training, CompareOptions{}.folds, CompareOptions{}.seed, progress).methods;
}

void run(const ReportArguments& arguments) {
  check_report_place(arguments.output);
  const table::TableModel fitted = load(arguments.model);
  const bool weighted = !arguments.weights.empty() || !arguments.precision.empty();
  if (arguments.data.empty() && (arguments.compare || weighted))
    throw Error(ErrorCode::invalid_argument, "report_without_rows",
                "--compare, --weights and --precision are about rows: name the table after the model, as in "
                "'kore report MODEL DATA'.");
  refuse_input_as_output(arguments.output, {arguments.model.file});
  ProgressLine progress(arguments.quiet);
  if (arguments.data.empty()) {
    report::write_report({fitted}, arguments.output);
  } else {
    progress.show("reading " + arguments.data);
    const std::unique_ptr<RowSource> rows = read_rows(arguments, fitted);
    write_report_on(fitted, *rows, compared(arguments, fitted, progress), arguments.threads, arguments.output,
                    progress);
  }
  progress.clear();
  if (!arguments.quiet) fmt::print("{}\n", report_line(arguments.output));
}

}  // namespace

void add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "One HTML file that explains a saved model");
  add_model(*command, arguments->model);
  command->add_option(
      "DATA", arguments->data,
      "The table it was fitted to, or one with new rows: shows where rows lie and how errors look");
  command->add_option("-o,--output", arguments->output, "The file to write (default report.html)")
      ->check(names_a_file);
  command->add_option("--weights", arguments->weights, "Column of row weights in DATA");
  command->add_option("--precision", arguments->precision,
                      "Column of precisions in DATA, in place of weights");
  command->add_flag("--compare", arguments->compare,
                    "Also fit DATA with both profiles, cross-validation, GCV, Cp, AIC and BIC");
  command->add_option("--threads", arguments->threads, "Threads; 0: all cores")
      ->check(whole_number(0, most_threads));
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->footer("Example:  kore report cars.kore cars.csv -o cars.html");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
