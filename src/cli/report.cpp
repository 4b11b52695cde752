#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/model_argument.hpp"
#include "cli/model_rows.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report_file.hpp"
#include "cli/training.hpp"
#include "cli/whole_number.hpp"
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

RowsOfTable rows_of(const ReportArguments& arguments) {
  return {arguments.data, arguments.weights, arguments.precision, arguments.threads};
}

/// What `kore compare` finds on the same columns, if it was asked for.
std::vector<ComparedMethod> compared(const ReportArguments& arguments, const table::TableModel& fitted,
                                     ProgressLine& progress) {
  if (!arguments.compare) return {};
  const table::ColumnChoice columns = columns_of(fitted, rows_of(arguments));
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
    const std::unique_ptr<RowSource> rows =
        read_rows(rows_of(arguments), fitted, {arguments.output, arguments.model.file});
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
