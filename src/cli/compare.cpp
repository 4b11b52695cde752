#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/progress.hpp"
#include "cli/training.hpp"
#include "cli/whole_number.hpp"
#include "fit/compare.hpp"
#include "story/comparison.hpp"
#include "story/json.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

struct CompareArguments {
  TrainingArguments training;
  int folds = 3;
  std::uint32_t seed = 0;
};

void print(const Comparison& found, const TrainingArguments& arguments) {
  if (arguments.json) {
    fmt::print("{}\n", story::comparison_json(found.methods).dump(2));
    return;
  }
  if (arguments.quiet) return;
  std::vector<std::vector<std::string>> cells{{"method", "structure", "G", "fits", "seconds", "score", ""}};
  for (const ComparedMethod& row : found.methods)
    cells.push_back({row.method, to_string(row.structure), std::to_string(row.resolution),
                     std::to_string(row.fits), short_number(row.seconds), short_number(row.score),
                     row.meaning});
  fmt::print("{}", aligned(cells, 2));
  fmt::print(
      "G is the resolution of main effects. All but KORE default choose from the paper's structures{}.\n"
      "The four criteria share one pass over the grid, so that each shows the time of all.\n",
      found.most_columns == 0 ? "" : fmt::format(", up to {} columns", grouped(found.most_columns)));
  for (const std::string& note : found.notes) fmt::print("Note: {}\n", note);
}

void run(const CompareArguments& arguments) {
  ProgressLine progress(arguments.training.quiet || arguments.training.json);
  const Comparison found = compare_on(arguments.training, arguments.folds, arguments.seed, progress);
  progress.clear();
  print(found, arguments.training);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand(
      "compare", "Compare both profiles of KORE with cross-validation, GCV, Cp, AIC and BIC");
  add_training_options(*command, arguments->training);
  command->add_option("--folds", arguments->folds, "Folds of cross-validation (default 3)");
  command->add_option("--seed", arguments->seed, "Seed of the shuffled folds (default 0)")
      ->check(whole_number(0, 4294967295));
  command->footer("Example:  kore compare cars.csv --target price");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
