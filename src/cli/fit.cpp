#include "kore/fit.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/summary.hpp"
#include "cli/text.hpp"
#include "cli/training.hpp"

namespace kore::cli {
namespace {

struct FitArguments {
  TrainingArguments training;
  std::string output;
};

void print(const FitArguments& arguments, const TrainingData& data, const data::TableModel& model) {
  if (arguments.training.json) {
    fmt::print("{}\n", fit_json(model).dump(2));
    return;
  }
  if (arguments.training.quiet) return;
  fmt::print("{}", describe(model));
  const int grid = grid_search_fits(model.model.summary, arguments.training.max_g_additive,
                                    arguments.training.max_g_pairwise);
  fmt::print("{:<11} {}; {}; 3-fold cross-validation of both grids would take {} fits\n", "Cost",
             duration(model.facts.seconds),
             counted(static_cast<std::uint64_t>(model.model.summary.fits), "fit"), grid);
  if (data.streamed)
    fmt::print("{:<11} the table is larger than the memory limit and was read in passes\n", "Memory");
  for (const std::string& note : data.notes) fmt::print("{:<11} {}\n", "Note", note);
  if (!arguments.output.empty()) fmt::print("{:<11} {}\n", "Saved", arguments.output);
}

void run(const FitArguments& arguments) {
  check_model_place(arguments.output);
  const auto start = std::chrono::steady_clock::now();
  ProgressLine progress(arguments.training.quiet || arguments.training.json);
  progress.show("reading " + arguments.training.data);
  const TrainingData data = read_training_data(arguments.training);
  refuse_input_as_output(arguments.output, data.files);
  Options options = engine_options(arguments.training, data);
  options.progress = progress.fits();
  data::TableModel model{fit(*data.rows, options, data.names()), data.encoding, {}};
  progress.clear();
  model.facts.profile = to_string(arguments.training.profile);
  model.facts.origin = data.origin;
  model.facts.missing_target = data.summary.missing_target;
  model.facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!arguments.output.empty()) data::save(model, arguments.output);
  print(arguments, data, model);
}

}  // namespace

void add_fit(CLI::App& app) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "Fit a model to a table");
  add_training_options(*command, arguments->training);
  command->add_option("-o,--output", arguments->output, "Save the model to this file");
  command->footer(
      "Examples:\n  kore fit cars.csv --target price -o cars.kore\n"
      "  kore fit \"FROM 'sales/*.parquet' WHERE year > 2020\" --target revenue --drop id");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
