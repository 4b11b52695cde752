#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "data/materialize.hpp"
#include "kore/error.hpp"
#include "story/compare.hpp"
#include "story/json.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct CompareArguments {
  TrainingArguments training;
  int folds = 3;
  std::uint32_t seed = 0;
};

std::vector<ComparedMethod> compare(const CompareArguments& arguments, const Options& options,
                                    const TrainingData& data, ProgressLine& progress) {
  const auto* rows = dynamic_cast<const data::OwnedRows*>(data.rows.get());
  if (rows == nullptr)
    throw Error(ErrorCode::invalid_argument,
                "Cross-validation needs the table in memory, and it is larger than the memory limit. Raise "
                "--memory-limit, or compare on a part of the rows.");
  return compare_methods(rows->block(), options, data.names(), {arguments.folds, arguments.seed},
                         [&progress](const std::string& stage) { progress.show(stage); });
}

/// `most_columns`: of the paper's families; 0 is no limit.
void print(const std::vector<ComparedMethod>& table, const TrainingData& data,
           const TrainingArguments& arguments, std::size_t most_columns) {
  if (arguments.json) {
    fmt::print("{}\n", comparison_json(table).dump(2));
    return;
  }
  if (arguments.quiet) return;
  std::vector<std::vector<std::string>> cells{{"method", "structure", "G", "fits", "seconds", "score", ""}};
  for (const ComparedMethod& row : table)
    cells.push_back({row.method, to_string(row.structure), std::to_string(row.resolution),
                     std::to_string(row.fits), short_number(row.seconds), short_number(row.score),
                     row.meaning});
  fmt::print("{}", aligned(cells, 2));
  fmt::print(
      "G is the resolution of main effects. All but KORE default choose from the paper's families{}.\n"
      "The four criteria share one pass over the grid, so that each shows the time of all.\n",
      most_columns == 0 ? "" : fmt::format(", up to {} columns", grouped(most_columns)));
  for (const std::string& note : data.notes) fmt::print("Note: {}\n", note);
}

void run(const CompareArguments& arguments) {
  ProgressLine progress(arguments.training.quiet || arguments.training.json);
  progress.show("reading " + arguments.training.data);
  const TrainingData data = read_training_data(arguments.training);
  Options options = engine_options(arguments.training, data);
  options.progress = progress.fits();
  const std::vector<ComparedMethod> table = compare(arguments, options, data, progress);
  progress.clear();
  print(table, data, arguments.training, options.max_columns);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command =
      app.add_subcommand("compare", "Both profiles of KORE beside cross-validation, GCV, Cp, AIC and BIC");
  add_training_options(*command, arguments->training);
  command->add_option("--folds", arguments->folds, "Folds of cross-validation (default 3)");
  command->add_option("--seed", arguments->seed, "Seed of the shuffled folds (default 0)")
      ->check(CLI::Range(0U, 4294967295U));
  command->footer("Example:  kore compare cars.csv --target price");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
