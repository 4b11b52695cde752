#include "kore/fit.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report_file.hpp"
#include "cli/test_table.hpp"
#include "cli/training.hpp"
#include "cli/words.hpp"
#include "kore/error.hpp"
#include "story/classes.hpp"
#include "story/cost.hpp"
#include "story/json.hpp"
#include "story/summary.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct FitArguments {
  TrainingArguments training;
  std::string output;
  std::string report;
  std::string test;
  bool profile_time = false;
};

/// The cost of the same choice by grid search, over the paper's grids unless other limits were given.
std::string grid_search(const TrainingArguments& arguments, const FitSummary& summary) {
  const int families = (summary.additive ? 1 : 0) + (summary.pairwise ? 1 : 0);
  if (families == 0) return "";
  const Options paper = Options::paper();
  return fmt::format(
      "; 3-fold cross-validation of {} would take {} fits", families == 2 ? "both grids" : "the grid",
      grid_search_fits(summary, arguments.max_g_additive.value_or(paper.max_resolution_additive),
                       arguments.max_g_pairwise.value_or(paper.max_resolution_pairwise)));
}

void print(const FitArguments& arguments, const TrainingData& data, const table::TableModel& model,
           const std::optional<TestErrors>& test) {
  if (arguments.training.json) {
    Json json = fit_json(model);
    if (test) json["test"] = test_json(*test);
    fmt::print("{}\n", json.dump(2));
    return;
  }
  if (arguments.training.quiet) return;
  if (test) fmt::print("{:<11} {}\n", "Test", test_line(*test, model.model.summary));
  fmt::print("{}", describe(model));
  fmt::print("{}{}\n", cost_line(model), grid_search(arguments.training, model.model.summary));
  if (arguments.profile_time) fmt::print("{}", phases_table(model.facts));
  if (data.streamed())
    fmt::print("{:<11} the table is larger than the memory limit and was read in passes\n", "Memory");
  fmt::print("{}", note_lines(model.facts.notes));
  if (!arguments.output.empty()) fmt::print("{:<11} {}\n", "Saved", arguments.output);
  if (!arguments.report.empty()) fmt::print("{:<11} {}\n", "Report", arguments.report);
}

void print_classes(const FitArguments& arguments, const table::ClassModel& model) {
  if (arguments.training.json) {
    fmt::print("{}\n", class_json(model).dump(2));
    return;
  }
  if (arguments.training.quiet) return;
  const table::FitFacts& facts = model.models.back().facts;
  fmt::print("{}{:<11} {}\n{}", describe(model), "Cost", duration(facts.seconds), note_lines(facts.notes));
  if (arguments.profile_time)
    for (std::size_t k = 0; k < model.models.size(); ++k)
      fmt::print("'{}'\n{}", model.classes[k], phases_table(model.models[k].facts));
  if (!arguments.output.empty())
    fmt::print("{:<11} {} (kore info, effects and report take --class)\n", "Saved", arguments.output);
}

/// A model for each class, in one file. A report explains one of them.
void fit_classes(const FitArguments& arguments, const TrainingData& data, const Options& options,
                 const table::FrontFacts& front, ProgressLine& progress) {
  if (!arguments.report.empty())
    throw Error(
        ErrorCode::invalid_argument, "report_of_one_class",
        "A report explains one model, and each of the {number} classes of '{target}' has its own. Save "
        "the model with -o, then use 'kore report MODEL DATA --class NAME'.",
        {{"number", data.prepared.summary.target_levels.size()}, {"target", data.prepared.summary.target}});
  const table::ClassModel model = table::train_classes(data.prepared, *data.rows, options, front);
  progress.clear();
  if (!arguments.output.empty()) table::save(model, arguments.output);
  print_classes(arguments, model);
}

void run(const FitArguments& arguments) {
  check_model_place(arguments.output);
  if (!arguments.report.empty()) check_report_place(arguments.report);
  refuse_same_output(arguments.output, arguments.report);
  const auto start = std::chrono::steady_clock::now();
  ProgressLine progress(arguments.training.quiet || arguments.training.json);
  progress.show("reading " + arguments.training.data);
  PhaseTimes phases;
  const TrainingData data = read_training_data(arguments.training, &phases);
  refuse_input_as_output(arguments.output, data.files);
  refuse_input_as_output(arguments.report, data.files);
  Options options = engine_options(arguments.training, data.prepared, data.family);
  options.progress = progress.fits();
  const auto words = [](const Message& note) { return in_words_of_the_command(note); };
  const table::FrontFacts front{data.origin, start, words, {}, phases.phases()};
  if (!arguments.test.empty() && data.prepared.summary.has_classes())
    throw Error(
        ErrorCode::invalid_argument, "test_of_classes",
        "--test checks one model, and '{target}' has {number} classes with a model each. Predict the other "
        "table "
        "with 'kore predict' and compare its classes.",
        {{"number", data.prepared.summary.target_levels.size()}, {"target", data.prepared.summary.target}});
  if (data.prepared.summary.has_classes()) return fit_classes(arguments, data, options, front, progress);
  const table::TableModel model = table::train(data.prepared, *data.rows, options, front);
  progress.clear();
  if (!arguments.output.empty()) table::save(model, arguments.output);
  std::optional<TestErrors> test;
  if (!arguments.test.empty()) {
    progress.show("reading " + arguments.test);
    const TrainingArguments& training = arguments.training;
    test = errors_on({arguments.test, training.columns.weights, training.columns.precision, training.threads},
                     model, {arguments.output});
    progress.clear();
  }
  if (!arguments.report.empty()) {
    write_report_on(model, *data.rows, {}, arguments.training.threads, arguments.report, progress);
    progress.clear();
  }
  print(arguments, data, model, test);
}

}  // namespace

void add_fit(CLI::App& app) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "Fit a model to a table");
  add_training_options(*command, arguments->training);
  command->add_option("-o,--output", arguments->output, "Save the model to this file")->check(names_a_file);
  command->add_option("--report", arguments->report, "Also write an HTML file that explains the model")
      ->check(names_a_file);
  command
      ->add_option(
          "--test", arguments->test,
          "Another table with the target, which takes no part in the fit: its errors are shown beside "
          "the stated ones")
      ->check(names_a_file);
  command->add_flag("--profile-time", arguments->profile_time,
                    "Also say how long each phase of the fit took");
  command->footer(
      "Examples:\n  kore fit cars.csv --target price -o cars.kore\n"
      "  kore fit \"FROM 'sales/*.parquet' WHERE year > 2020\" --target revenue --drop id");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
