#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "kore/fit.hpp"
#include "story/json.hpp"
#include "story/text.hpp"
#include "story/verdict.hpp"

namespace kore::cli {
namespace {

Json to_json(const Diagnosis& diagnosis, const TrainingData& data) {
  Json json = diagnosis_json(diagnosis);
  json["dropped_rows"] = data.summary.missing_target;
  json["notes"] = data.notes;
  return json;
}

void print(const Diagnosis& d, const TrainingData& data) {
  const Diagnostic& pilots = d.pilots;
  fmt::print(
      "{}\n",
      aligned({{"check", "value", "wanted"},
               {"features after encoding", std::to_string(pilots.features), "30 or fewer"},
               {"condition number of the pilots", short_number(pilots.condition_number), "1e6 or less"},
               {"stability margin", short_number(pilots.stability_margin), "0.05 or more"},
               {"signal score", short_number(d.signal_score), "above 1"},
               {"minimum bracketed", d.bracketed ? "yes" : "no", "yes"},
               {"leave-one-out R²", short_number(d.loo_r2), "above 0"},
               {"gain over straight lines", percent(d.lift_over_linear), "above 1 %"},
               {"rows per smooth curve", short_number(pilots.effective_density), ""}}));
  fmt::print("Verdict: {}.\n", verdict(evidence_of(d)).sentence);
  for (const std::string& sentence : pilots.advice) fmt::print("- {}\n", sentence);
  for (const std::string& note : data.notes) fmt::print("Note: {}\n", note);
}

void run(const TrainingArguments& arguments) {
  ProgressLine progress(arguments.quiet || arguments.json);
  const TrainingData data = read_training_data(arguments);
  Options options = engine_options(arguments, data);
  options.progress = progress.fits();
  const Diagnosis diagnosis = diagnose(*data.rows, options, data.names());
  progress.clear();
  if (arguments.json)
    fmt::print("{}\n", to_json(diagnosis, data).dump(2));
  else if (!arguments.quiet)
    print(diagnosis, data);
}

}  // namespace

void add_diagnose(CLI::App& app) {
  auto arguments = std::make_shared<TrainingArguments>();
  CLI::App* command =
      app.add_subcommand("diagnose", "Tell whether a table suits KORE, and what to do if not");
  add_training_options(*command, *arguments);
  command->footer("Example:  kore diagnose cars.csv --target price");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
