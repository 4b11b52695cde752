#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "experiments/runner.hpp"
#include "experiments/studies/studies.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

using experiments::StudyEntry;

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string output;
  std::string check;
  std::size_t seeds = 0;
  int threads = 0;
};

void run(const ReproduceArguments& arguments) {
  std::filesystem::create_directories(arguments.output);
  for (const StudyEntry& entry : experiments::study_list()) {
    if (std::ranges::find(arguments.names, entry.name) == arguments.names.end()) continue;
    const experiments::Study study = entry.make(arguments.seeds > 0 ? arguments.seeds : entry.seeds);
    ProgressLine line(false);
    experiments::RunOptions options;
    options.threads = arguments.threads;
    const auto result = experiments::run_study(study, arguments.output, options);
    fmt::print("{}: {} cells in {}\n", study.name, result.computed, duration(result.seconds));
    for (const auto& claim : study.claims(result.table))
      fmt::print("   {} | {} | {} | {}\n", claim.claim, claim.paper, claim.ours, claim.holds);
  }
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand("reproduce", "The paper's experiments");
  command->add_option("EXPERIMENT", arguments->names, "")->required();
  command->add_option("-o,--output", arguments->output, "Folder")->required();
  command->add_option("--seeds", arguments->seeds, "");
  command->add_option("--threads", arguments->threads, "");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
