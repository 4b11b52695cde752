#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/experiments.hpp"
#include "cli/output.hpp"
#include "experiments/figures/ranking/charts.hpp"
#include "kore/error.hpp"
#include "story/text.hpp"

namespace kore::cli {
namespace {

using experiments::Ranking;
using experiments::RankingOptions;
using experiments::Table;

struct StudyArguments {
  std::string cells;
  std::string output;
  std::string datasets;
  RankingOptions options;
  bool quiet = false;
};

/// Mean ranks with their intervals, and how each method compares with the reference.
void print_ranks(const Ranking& ranking, const nlohmann::json& friedman) {
  fmt::print("{} methods on {} data sets, ranked by lift per second (alpha = {})\n",
             friedman.at("k_methods").get<int>(), friedman.at("n_datasets").get<int>(),
             ranking.options.alpha);
  fmt::print("Friedman chi-square {:.3f}, p = {:.2g}; critical difference {:.4f} ({:.4f} as published)\n\n",
             friedman.at("friedman_stat").get<double>(), friedman.at("friedman_p").get<double>(),
             friedman.at("cd_textbook").get<double>(), friedman.at("cd").get<double>());
  const Table ranks = experiments::rank_table(ranking);
  const Table versus = experiments::significance_table(ranking);
  std::vector<std::vector<std::string>> lines{{"method", "mean rank", "p (Holm)", "verdict"}};
  for (std::size_t r = 0; r < ranks.rows.size(); ++r) {
    const std::string& method = ranks.text(r, "method");
    std::vector<std::string> line{method, fmt::format("{:.2f}", ranks.number(r, "mean_rank")), "", ""};
    for (std::size_t v = 0; v < versus.rows.size(); ++v)
      if (versus.text(v, "method") == method) {
        line[2] = fmt::format("{:.2g}", versus.number(v, "wilcoxon_p_holm"));
        line[3] = versus.text(v, "direction");
      }
    lines.push_back(std::move(line));
  }
  fmt::print("{}", aligned(lines, 1));
  for (const std::string& method : ranking.dropped)
    fmt::print("Not ranked, because cells are missing: {}\n", method);
}

/// The rows of the data sets before subsamples, where a list of them was given.
experiments::RankingPageOptions page_options(const StudyArguments& arguments) {
  experiments::RankingPageOptions options;
  if (arguments.datasets.empty()) return options;
  const Table list = experiments::read_table(arguments.datasets);
  for (std::size_t r = 0; r < list.rows.size(); ++r)
    options.sizes[list.text(r, "dataset")] = list.number(r, "n");
  options.size_label = "rows of the data sets";
  return options;
}

void summarize(const StudyArguments& arguments) {
  const Ranking ranking =
      experiments::make_ranking(experiments::read_table(arguments.cells), arguments.options);
  // All numbers first: if one of them cannot be computed, nothing is written.
  const std::vector<experiments::NamedTable> tables = experiments::ranking_tables(ranking);
  const nlohmann::json friedman = experiments::friedman_summary(ranking);
  const std::string page = report::to_html(experiments::ranking_page(ranking, page_options(arguments)));
  make_folder(arguments.output);
  const std::filesystem::path folder = arguments.output;
  for (const experiments::NamedTable& table : tables)
    experiments::write_table(folder / table.file, table.table);
  experiments::write_text(folder / experiments::friedman_file, friedman.dump(2) + "\n");
  experiments::write_text(folder / "index.html", page);
  if (arguments.quiet) return;
  print_ranks(ranking, friedman);
  fmt::print("\nFigures: {}\n", (folder / "index.html").string());
}

}  // namespace

void add_study(CLI::App& app) {
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand("study", "The paper's study on real data: its statistics");
  command->require_subcommand(1);
  CLI::App* summary =
      command->add_subcommand("summarize", "Ranks, tests and summary tables from a table of cells");
  summary->add_option("CELLS", arguments->cells, "CSV file with a row per method, data set and seed")
      ->required();
  summary
      ->add_option("-o,--output", arguments->output, "Folder for the summary files and the page of figures")
      ->required();
  RankingOptions& options = arguments->options;
  summary->add_option("--alpha", options.alpha, "Weight of the time in the lift (default: 1)");
  summary->add_option("--reference", options.reference,
                      "Method that all others are compared with (default: kore)");
  summary->add_option("--baseline", options.baseline,
                      "Method that the lift is measured from (default: linear)");
  summary->add_option("--max-features", options.most_features,
                      "Features after dummies of the data sets in the subset (default: 30)");
  summary->add_option("--datasets", arguments->datasets,
                      "CSV file with columns dataset and n: sizes before subsamples, for the page");
  summary->add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  command->footer("Example:  kore study summarize cells.csv -o summary");
  summary->callback([arguments] { summarize(*arguments); });
}

}  // namespace kore::cli
