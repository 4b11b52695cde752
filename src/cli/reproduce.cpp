#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/experiments.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "experiments/figures/page.hpp"
#include "experiments/report.hpp"
#include "experiments/runner.hpp"
#include "experiments/studies/studies.hpp"
#include "kore/error.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

using experiments::Comparison;
using experiments::Study;
using experiments::StudyEntry;
using experiments::StudyReport;

struct ReproduceArguments {
  std::vector<std::string> names{"all"};
  std::string output;
  std::string check;
  std::size_t seeds = 0;  // 0: as published
  int threads = 0;
  bool quiet = false;

  bool asks_for(const std::string& name) const {
    return std::ranges::any_of(names,
                               [&](const std::string& asked) { return asked == name || asked == "all"; });
  }
  std::size_t seeds_of(const StudyEntry& entry) const {
    return seeds > 0 && entry.takes_seeds ? seeds : entry.seeds;
  }
};

std::vector<std::string> choices() {
  std::vector<std::string> names;
  for (const StudyEntry& entry : experiments::study_list()) names.push_back(entry.name);
  names.emplace_back("all");
  return names;
}

void check_folders(const ReproduceArguments& arguments) {
  if (!arguments.check.empty() && !std::filesystem::is_directory(arguments.check))
    throw Error(ErrorCode::io, "no_result_folder",
                "There is no folder '{folder}' with result files to compare with.",
                {{"folder", arguments.check}});
  make_folder(arguments.output);
}

/// With enough seeds for every row that is in the folder already.
Study make_study(const StudyEntry& entry, const ReproduceArguments& arguments) {
  const std::filesystem::path file = std::filesystem::path(arguments.output) / entry.make(0).file;
  return entry.make(std::max(arguments.seeds_of(entry), experiments::seeds_in(file)));
}

void run(const Study& study, std::size_t seeds, const ReproduceArguments& arguments) {
  ProgressLine line(arguments.quiet);
  experiments::RunOptions options;
  options.threads = arguments.threads;
  options.seeds = seeds;
  std::size_t cells = 0;
  options.progress = [&](const experiments::RunProgress& progress) {
    cells = progress.total;
    line.show(fmt::format("{}: {} of {} cells{}", study.name, progress.done, progress.total,
                          std::isnan(progress.seconds_left)
                              ? ""
                              : ", about " + duration(std::ceil(progress.seconds_left)) + " left"));
  };
  const experiments::RunResult result = experiments::run_study(study, arguments.output, options);
  line.clear();
  if (arguments.quiet) return;
  const std::size_t kept = cells - result.computed;
  fmt::print("{}: {} in {}{}\n", study.name, counted(result.computed, "cell"), duration(result.seconds),
             kept == 0 ? "" : fmt::format(", {} were there already", kept));
  std::fflush(stdout);
}

/// What the folder holds now, whether it was computed just now or before.
std::vector<StudyReport> collect(const ReproduceArguments& arguments) {
  std::vector<StudyReport> reports;
  for (const StudyEntry& entry : experiments::study_list()) {
    Study study = make_study(entry, arguments);
    auto table = experiments::finished_table(study, arguments.output, arguments.seeds_of(entry));
    if (!table) continue;
    const std::size_t seeds = experiments::seeds_in(std::filesystem::path(arguments.output) / study.file);
    StudyReport report{std::move(study), std::move(*table), {}, {}};
    if (entry.takes_seeds && seeds != entry.seeds)
      report.note =
          fmt::format("With {} where the published run has {}.", counted(seeds, "seed"), entry.seeds);
    if (!arguments.check.empty()) {
      report.comparison = experiments::compare_with_folder(report.study, report.table, arguments.check);
      experiments::explain(*report.comparison, report.study, resolve_threads(arguments.threads));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

void print_comparison(const std::vector<StudyReport>& reports, bool quiet) {
  if (!quiet) fmt::print("\n{}", aligned(experiments::comparison_lines(reports), 5));
  bool holds = true;
  for (const StudyReport& report : reports) {
    for (const std::string& line : experiments::disagreement_lines(*report.comparison))
      fmt::print("{}\n", line);
    holds = holds && report.comparison->holds();
  }
  if (!holds)
    throw std::runtime_error(
        "Not all results agree with the published ones as they must; those that do not are listed above.");
}

void reproduce(const ReproduceArguments& arguments) {
  check_folders(arguments);
  for (const StudyEntry& entry : experiments::study_list())
    if (arguments.asks_for(entry.name))
      run(make_study(entry, arguments), arguments.seeds_of(entry), arguments);
  const std::vector<StudyReport> reports = collect(arguments);
  const std::filesystem::path folder = arguments.output;
  experiments::write_text(folder / "reproduction.md", experiments::reproduction_page(reports));
  const auto example = experiments::solved_example(resolve_threads(arguments.threads));
  experiments::write_text(folder / "index.html",
                          report::to_html(experiments::figures_page(reports, example)));
  if (!arguments.quiet)
    fmt::print("The paper's claims beside these results: {}\nIts figures: {}\n",
               (folder / "reproduction.md").string(), (folder / "index.html").string());
  if (!arguments.check.empty()) print_comparison(reports, arguments.quiet);
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand("reproduce", "The paper's synthetic experiments, run again");
  command
      ->add_option("EXPERIMENT", arguments->names,
                   fmt::format("Any of {} (default: all)", fmt::join(choices(), ", ")))
      ->check(CLI::IsMember(choices()));
  command
      ->add_option("-o,--output", arguments->output,
                   "Folder for the result files; results that are already there are not computed again")
      ->required();
  command->add_option("--check", arguments->check,
                      "Folder with published result files: compare, and exit with 1 where they disagree");
  command
      ->add_option("--seeds", arguments->seeds,
                   "Seeds per setting (default: the paper's; 'concentration' keeps its 100 draws)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--threads", arguments->threads,
                   "Threads (default: all cores); results do not depend on it")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("-q,--quiet", arguments->quiet, "Print disagreements and errors only");
  command->footer("Example:  kore reproduce frontier benchmark noise -o results");
  command->callback([arguments] { reproduce(*arguments); });
}

}  // namespace kore::cli
