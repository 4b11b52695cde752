#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "experiments/averages.hpp"
#include "experiments/honesty/cells.hpp"
#include "experiments/honesty/parts.hpp"
#include "experiments/honesty/table_cells.hpp"

namespace kore::experiments::honesty {
namespace {

/// What a summary is made of: the cells of a size, or of one table at a size.
struct TableSummary {
  std::vector<double> over_ridge, true_over_stated, covered, bottom, top, seconds;
  std::vector<double> ridge_true_over_stated, ridge_covered;
  std::map<std::string, int> structures;

  void add(const TableCell& cell) {
    over_ridge.push_back(cell.over_ridge());
    true_over_stated.push_back(cell.kore.true_over_stated());
    covered.push_back(cell.kore.truth.covered);
    bottom.push_back(cell.kore.truth.covered_bottom);
    top.push_back(cell.kore.truth.covered_top);
    seconds.push_back(cell.kore.seconds);
    ridge_true_over_stated.push_back(cell.ridge.true_over_stated());
    ridge_covered.push_back(cell.ridge.truth.covered);
    ++structures[cell.kore.stated.structure];
  }
  std::string structure_words() const {
    std::string words;
    for (const auto& [structure, count] : structures)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, structure);
    return words;
  }
};

/// What is said of all tables at one number of rows.
struct SizeSummary {
  std::size_t rows = 0;
  TableSummary all;
  double share_within =
      0;  ///< Cells whose true error is 0.8 to 1.25 of the stated one, without the apart set.
  std::string worst_set;
  double worst_ratio = 0;
};

TableSummary summary_of(std::span<const TableCell> cells, std::size_t rows, const std::string& set = "") {
  TableSummary summary;
  for (const TableCell& cell : cells)
    if (cell.rows == rows && (set.empty() || cell.set == set)) summary.add(cell);
  return summary;
}

std::vector<std::string> sets_in(std::span<const TableCell> cells, std::size_t rows) {
  std::vector<std::string> sets;
  for (const TableCell& cell : cells)
    if (cell.rows == rows && std::ranges::find(sets, cell.set) == sets.end()) sets.push_back(cell.set);
  return sets;
}

SizeSummary size_summary(std::span<const TableCell> cells, std::size_t rows) {
  SizeSummary summary;
  summary.rows = rows;
  summary.all = summary_of(cells, rows);
  std::vector<double> within;
  for (const TableCell& cell : cells) {
    const double ratio = cell.kore.true_over_stated();
    if (cell.rows == rows && cell.set != set_apart) within.push_back(ratio >= 0.8 && ratio <= 1.25 ? 1 : 0);
  }
  summary.share_within = mean(within);
  for (const std::string& set : sets_in(cells, rows)) {
    const double ratio = geometric_mean(summary_of(cells, rows, set).over_ridge);
    if (ratio <= summary.worst_ratio) continue;
    summary.worst_ratio = ratio;
    summary.worst_set = set;
  }
  return summary;
}

std::string sizes_text(std::span<const SizeSummary> sizes) {
  MarkdownTable table({"rows", "cells", "RMSE / ridge", "worst table", "true / stated", "within 0.8 to 1.25",
                       "covered", "bottom tenth", "top tenth", "seconds", "ridge: true / stated",
                       "ridge: covered"});
  for (const SizeSummary& size : sizes) {
    const TableSummary& all = size.all;
    table.add({std::to_string(size.rows), std::to_string(all.covered.size()),
               fmt::format("{:.3f}", geometric_mean(all.over_ridge)),
               fmt::format("{:.3f} {}", size.worst_ratio, size.worst_set),
               fmt::format("{:.3f}", geometric_mean(all.true_over_stated)),
               fmt::format("{:.0f} %", 100 * size.share_within), fmt::format("{:.3f}", mean(all.covered)),
               fmt::format("{:.3f}", mean(all.bottom)), fmt::format("{:.3f}", mean(all.top)),
               fmt::format("{:.2f}", mean(all.seconds)),
               fmt::format("{:.3f}", geometric_mean(all.ridge_true_over_stated)),
               fmt::format("{:.3f}", mean(all.ridge_covered))});
  }
  return table.text();
}

std::string sets_text(std::span<const TableCell> cells, std::size_t rows) {
  MarkdownTable table({"table", "RMSE / ridge", "true / stated", "covered", "bottom tenth", "top tenth",
                       "seconds", "chosen"});
  for (const std::string& set : sets_in(cells, rows)) {
    const TableSummary summary = summary_of(cells, rows, set);
    table.add({set, fmt::format("{:.3f}", geometric_mean(summary.over_ridge)),
               fmt::format("{:.3f}", geometric_mean(summary.true_over_stated)),
               fmt::format("{:.3f}", mean(summary.covered)), fmt::format("{:.3f}", mean(summary.bottom)),
               fmt::format("{:.3f}", mean(summary.top)), fmt::format("{:.2f}", mean(summary.seconds)),
               summary.structure_words()});
  }
  return fmt::format("\n### {} rows\n\n{}", rows, table.text());
}

/// What is wanted of a number that lies between two bounds.
Promise between(std::string what, double lowest, double measured, double highest) {
  return {std::move(what), fmt::format("{} to {}", lowest, highest), fmt::format("{:.3f}", measured),
          measured >= lowest && measured <= highest};
}
Promise at_most(std::string what, double measured, double highest) {
  return {std::move(what), fmt::format("at most {}", highest), fmt::format("{:.3f}", measured),
          measured <= highest};
}
Promise at_least(std::string what, double measured, double lowest) {
  return {std::move(what), fmt::format("at least {}", lowest), fmt::format("{:.3f}", measured),
          measured >= lowest};
}

std::vector<Promise> promises_of(const SizeSummary& size) {
  const auto named = [&](const char* what) { return fmt::format("{} rows: {}", size.rows, what); };
  std::vector<Promise> promises{
      between(named("true / stated error"), 0.95, geometric_mean(size.all.true_over_stated), 1.06),
      at_least(named("share of cells within 0.8 to 1.25"), size.share_within, 0.8),
      between(named("covered by 90 % intervals"), 0.88, mean(size.all.covered), 0.93),
      at_least(named("covered in the bottom tenth"), mean(size.all.bottom), 0.8),
      at_least(named("covered in the top tenth"), mean(size.all.top), 0.8),
      at_most(named("worst table's RMSE / ridge"), size.worst_ratio, 1.05)};
  const std::map<std::size_t, double> wanted{{100, 0.84}, {300, 0.745}};
  if (const auto bound = wanted.find(size.rows); bound != wanted.end())
    promises.push_back(at_most(named("RMSE / ridge"), geometric_mean(size.all.over_ridge), bound->second));
  return promises;
}

void keep(std::span<const TableCell> cells, const Settings& settings) {
  Table table{{"set", "rows", "draw", "features", "rmse_over_ridge", "true_over_stated", "stated_r2",
               "covered", "covered_bottom", "covered_top", "structure", "verdict", "seconds",
               "ridge_true_over_stated", "ridge_covered"},
              {}};
  for (const TableCell& cell : cells)
    table.rows.push_back(row_of(
        {cell.set, cell.rows, cell.draw, cell.features, cell.over_ridge(), cell.kore.true_over_stated(),
         cell.kore.stated.r2, cell.kore.truth.covered, cell.kore.truth.covered_bottom,
         cell.kore.truth.covered_top, cell.kore.stated.structure, first_word(cell.kore.stated.verdict),
         cell.kore.seconds, cell.ridge.true_over_stated(), cell.ridge.truth.covered}));
  keep_cells("tables", table, settings);
}

constexpr const char* explanation =
    R"(Thirteen real tables cut to 100, 300 and 800 rows, {} draws each. Draw `s` takes the first rows of
`default_rng(100 + s).permutation(rows)`; the next rows, at most 2,000, judge it. Texts become indicators,
and columns that are constant in the training rows are dropped. *Ridge* is straight lines in standardised
features with the penalty of the smallest leave-one-out error. *RMSE / ridge*, *true / stated* are geometric
means; *worst table* is the largest geometric mean over the draws of one table. *Within 0.8 to 1.25* counts
cells by true / stated error, forest fires apart: a few fires there are a hundred times larger than the
others, and whether one is among the rows decides about both errors.{}

)";

}  // namespace

Section tables_part(const Settings& settings) {
  const TableCells run = run_tables(settings);
  keep(run.cells, settings);
  std::vector<SizeSummary> sizes;
  std::string details;
  Section section{"Real tables with few rows", ""};
  for (const std::size_t rows : table_sizes) {
    if (sets_in(run.cells, rows).empty()) continue;
    sizes.push_back(size_summary(run.cells, rows));
    details += sets_text(run.cells, rows);
    for (Promise& promise : promises_of(sizes.back())) section.promises.push_back(std::move(promise));
  }
  section.text = fmt::format(fmt::runtime(explanation), settings.repeats(draws_per_cell), run.skipped) +
                 sizes_text(sizes) + details;
  return section;
}

}  // namespace kore::experiments::honesty
