#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "data/materialize.hpp"
#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "kore/ladder.hpp"
#include "story/json.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct CompareArguments {
  TrainingArguments training;
  int folds = 3;
  std::uint32_t seed = 0;
};

struct Row {
  std::string method;
  Family structure = Family::additive;
  int resolution = 0;
  int fits = 0;
  double seconds = 0;
  double score = 0;
  std::string meaning;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

LadderOptions ladder_options(const CompareArguments& arguments, const Options& options) {
  LadderOptions ladder;
  ladder.degree = options.degree;
  ladder.max_resolution_additive = options.max_resolution_additive;
  ladder.max_resolution_pairwise = options.max_resolution_pairwise;
  ladder.stability = options.stability;
  ladder.ridge = options.ridge;
  ladder.relative_ridge = options.relative_ridge;
  ladder.max_columns = options.max_columns;
  ladder.kinds = options.kinds;
  ladder.folds = arguments.folds;
  ladder.seed = arguments.seed;
  ladder.threads = resolve_threads(options.threads);
  return ladder;
}

std::vector<Row> compare(const CompareArguments& arguments, const TrainingData& data,
                         ProgressLine& progress) {
  Options options = engine_options(arguments.training, data);
  options.progress = progress.fits();
  options.intervals = false;
  const auto* rows = dynamic_cast<const data::OwnedRows*>(data.rows.get());
  if (rows == nullptr)
    throw Error(ErrorCode::invalid_argument,
                "Cross-validation needs the table in memory, and it is larger than the memory limit. Raise "
                "--memory-limit, or compare on a part of the rows.");
  auto start = std::chrono::steady_clock::now();
  const Model model = fit(*rows, options, data.names());
  const FitSummary& summary = model.summary;
  std::vector<Row> table{{"KORE", summary.structure, summary.resolution, summary.fits, seconds_since(start),
                          summary.loo, "leave-one-out MSE"}};
  // The same pairs compete everywhere: selectors are compared, not graphs.
  const LadderOptions ladder = ladder_options(arguments, options);
  progress.show("criteria");
  start = std::chrono::steady_clock::now();
  const std::vector<LadderChoice> criteria =
      criteria_ladder(*rows, model.design.features(), summary.pairs, ladder);
  const double criteria_seconds = seconds_since(start);
  progress.show("cross-validation");
  start = std::chrono::steady_clock::now();
  const LadderChoice cv = cross_validate(rows->block(), summary.pairs, ladder);
  table.push_back({fmt::format("{}-fold CV", arguments.folds), cv.family, cv.resolution, cv.fits,
                   seconds_since(start), cv.score, "mean test MSE"});
  for (const LadderChoice& choice : criteria) {
    const std::string name = choice.method == "cp"    ? "Cp"
                             : choice.method == "gcv" ? "GCV"
                             : choice.method == "aic" ? "AIC"
                                                      : "BIC";
    table.push_back(
        {name, choice.family, choice.resolution, choice.fits, criteria_seconds, choice.score, name});
  }
  return table;
}

void print(const std::vector<Row>& table, const TrainingData& data, const TrainingArguments& arguments) {
  if (arguments.json) {
    Json json = Json::array();
    for (const Row& row : table)
      json.push_back({{"method", row.method},
                      {"structure", to_string(row.structure)},
                      {"G", row.resolution},
                      {"fits", row.fits},
                      {"seconds", number(row.seconds)},
                      {"score", number(row.score)},
                      {"score_meaning", row.meaning}});
    fmt::print("{}\n", json.dump(2));
    return;
  }
  if (arguments.quiet) return;
  std::vector<std::vector<std::string>> cells{{"method", "structure", "G", "fits", "seconds", "score", ""}};
  for (const Row& row : table)
    cells.push_back({row.method, to_string(row.structure), std::to_string(row.resolution),
                     std::to_string(row.fits), short_number(row.seconds), short_number(row.score),
                     row.meaning});
  fmt::print("{}", aligned(cells, 2));
  fmt::print("The four criteria share one pass over the grid, so that each shows the time of all.\n");
  for (const std::string& note : data.notes) fmt::print("Note: {}\n", note);
}

void run(const CompareArguments& arguments) {
  ProgressLine progress(arguments.training.quiet || arguments.training.json);
  progress.show("reading " + arguments.training.data);
  const TrainingData data = read_training_data(arguments.training);
  const std::vector<Row> table = compare(arguments, data, progress);
  progress.clear();
  print(table, data, arguments.training);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "KORE beside cross-validation, GCV, Cp, AIC and BIC");
  add_training_options(*command, arguments->training);
  command->add_option("--folds", arguments->folds, "Folds of cross-validation (default 3)");
  command->add_option("--seed", arguments->seed, "Seed of the shuffled folds (default 0)")
      ->check(CLI::Range(0U, 4294967295U));
  command->footer("Example:  kore compare cars.csv --target price");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
