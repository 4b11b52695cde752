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

/// The rows as a profile encodes them, with its options.
struct ProfileRows {
  ProfileRows(const OpenedTable& table, TrainingArguments arguments, Profile wanted) {
    arguments.profile = wanted;
    if (wanted == Profile::paper) arguments.max_order.reset();  // it has no such choice
    data = encode_training_table(table, arguments);
    options = engine_options(arguments, data);
  }

  Contender contender(ProgressLine& progress) const {
    const auto* rows = dynamic_cast<const data::OwnedRows*>(data.rows.get());
    if (rows == nullptr)
      throw Error(ErrorCode::invalid_argument,
                  "Cross-validation needs the table in memory, and it is larger than the memory limit. Raise "
                  "--memory-limit, or compare on a part of the rows.");
    Contender contender{rows->block(), options, data.names()};
    contender.options.progress = progress.fits();
    return contender;
  }

  TrainingData data;
  Options options;
};

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
  const OpenedTable table = open_training_table(arguments.training);
  const ProfileRows standard(table, arguments.training, Profile::standard);
  const ProfileRows paper(table, arguments.training, Profile::paper);
  // What is affordable for one is so for the other; who asks for the paper profile has no limit.
  const bool unlimited = arguments.training.profile == Profile::paper;
  const CompareOptions comparison{arguments.folds, arguments.seed,
                                  unlimited ? 0 : standard.options.max_columns};
  const std::vector<ComparedMethod> methods =
      compare_methods(standard.contender(progress), paper.contender(progress), comparison,
                      [&progress](const std::string& stage) { progress.show(stage); });
  progress.clear();
  print(methods, (unlimited ? paper : standard).data, arguments.training, comparison.max_columns);
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
