#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "cli/words.hpp"
#include "kore/fit.hpp"
#include "story/json.hpp"
#include "story/text.hpp"
#include "story/verdict.hpp"

namespace kore::cli {
namespace {

std::vector<std::string> notes_of(const Diagnosis& diagnosis, const TrainingData& data) {
  std::vector<std::string> notes = in_words_of_the_command(data.prepared.notes);
  if (const auto note = table::weight_note(diagnosis.summary, data.prepared.summary.weights))
    notes.push_back(in_words_of_the_command(*note));
  return notes;
}

Json to_json(const Diagnosis& diagnosis, const TrainingData& data) {
  Json json = diagnosis_json(diagnosis);
  json["dropped_rows"] = data.prepared.summary.missing_target;
  json["notes"] = notes_of(diagnosis, data);
  return json;
}

/// The paper's check of the pilots, which have no penalties. It decides only for fits without penalties; for
/// others it is shown where there are pilots.
std::vector<std::vector<std::string>> pilot_checks(const Diagnosis& d, bool penalised) {
  const PilotCheck& pilots = d.pilots;
  if (penalised && !std::isfinite(pilots.condition_number)) return {};
  const auto wanted = [penalised](const char* text) { return penalised ? "" : text; };
  const std::string beside = penalised ? ", without penalty" : "";
  return {{"condition number of the pilots" + beside, short_number(pilots.condition_number),
           wanted("1e6 or less")},
          {"stability margin" + beside, short_number(pilots.stability_margin), wanted("0.05 or more")},
          {"minimum bracketed" + beside, d.bracketed ? "yes" : "no", wanted("yes")}};
}

/// The errors on left-out rows, which decide first.
std::string checks(const Diagnosis& d) {
  const bool penalised = !d.summary.stages.empty();
  std::vector<std::vector<std::string>> rows{
      {"check", "value", "wanted"},
      {"leave-one-out R²", short_number(d.summary.loo_r2()), "above 0"},
      {"signal score", short_number(d.summary.signal_score), "above 1"},
      {"gain over straight lines", percent(d.lift_over_linear), ""},
      {"features after encoding", std::to_string(d.pilots.features), "30 or fewer"},
      {"rows per smooth curve", short_number(d.pilots.effective_density), ""}};
  for (auto& row : pilot_checks(d, penalised)) rows.push_back(std::move(row));
  return aligned(rows);
}

void print(const Diagnosis& d, const TrainingData& data) {
  fmt::print("{}\n", checks(d));
  fmt::print("Verdict: {}.\n", verdict(evidence_of(d)).sentence);
  for (const std::string& sentence : d.advice) fmt::print("- {}\n", sentence);
  for (const std::string& note : notes_of(d, data)) fmt::print("Note: {}\n", note);
}

void run(const TrainingArguments& arguments) {
  ProgressLine progress(arguments.quiet || arguments.json);
  const TrainingData data = read_training_data(arguments);
  require_one_model(data);
  Options options = engine_options(arguments, data.prepared, data.family);
  options.progress = progress.fits();
  const Diagnosis diagnosis = diagnose(*data.rows, options, data.prepared.names());
  progress.clear();
  if (arguments.json)
    fmt::print("{}\n", to_json(diagnosis, data).dump(2));
  else if (!arguments.quiet)
    print(diagnosis, data);
}

}  // namespace

void add_diagnose(CLI::App& app) {
  auto arguments = std::make_shared<TrainingArguments>();
  CLI::App* command = app.add_subcommand("diagnose", "Say whether KORE suits a table, and what to do if not");
  add_training_options(*command, *arguments);
  command->footer("Example:  kore diagnose cars.csv --target price");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
