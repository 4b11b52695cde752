#include "experiments/honesty/gamsim.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "experiments/averages.hpp"
#include "experiments/honesty/cells.hpp"
#include "experiments/honesty/examples.hpp"
#include "experiments/honesty/outcome.hpp"
#include "experiments/honesty/parts.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::size_t sets_per_example = 20;

struct GamCell {
  Example example;
  std::size_t set = 0;
  Outcome outcome = {};
  double rmse = 0;                  ///< To the truth, without its noise.
  std::optional<double> mgcv = {};  ///< The same of mgcv.

  std::uint64_t seed() const { return static_cast<std::uint64_t>(1'000 * example.number) + set; }
  std::string name() const { return fmt::format("example{}_{:02}", example.number, set); }
  void run() {
    const ExampleData data = draw_example(example, seed());
    outcome = measure(data.train.rows, data.fresh.rows);
    rmse = root_mean_square_error(outcome.predicted, data.fresh.truth);
  }
};

std::vector<GamCell> cells_of(const Settings& settings) {
  std::vector<GamCell> cells;
  for (const Example& example : examples())
    for (std::size_t set = 0; set < settings.repeats(sets_per_example); ++set)
      cells.push_back({example, set});
  return cells;
}

/// A file of both parts; the column `fresh` tells them apart. Levels count from 1, as in R.
Table table_of(const Example& example, const ExampleData& data) {
  Table table{example.columns, {}};
  for (const char* column : {"y", "truth", "fresh"}) table.columns.emplace_back(column);
  for (const ExampleRows* part : {&data.train, &data.fresh}) {
    const MatrixView x = part->rows.view();
    for (std::size_t r = 0; r < x.rows(); ++r) {
      Row row;
      for (std::size_t j = 0; j < x.columns(); ++j) {
        const bool is_level = example.levels > 0 && j == example.category;
        row.push_back(number_field(x(r, j) + (is_level ? 1 : 0)));
      }
      for (const double value : {part->rows.y[r], part->truth[r], part == &data.fresh ? 1.0 : 0.0})
        row.push_back(number_field(value));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void read_mgcv(std::vector<GamCell>& cells, const Settings& settings) {
  const std::filesystem::path file = settings.gamsim / "mgcv.csv";
  if (settings.gamsim.empty() || !std::filesystem::exists(file)) return;
  const Table table = read_table(file);
  std::map<std::string, double> errors;
  for (std::size_t r = 0; r < table.rows.size(); ++r) errors[table.text(r, "name")] = table.number(r, "rmse");
  for (GamCell& cell : cells)
    if (const auto found = errors.find(cell.name()); found != errors.end()) cell.mgcv = found->second;
}

void keep(const std::vector<GamCell>& cells, const Settings& settings) {
  Table table{{"example", "set", "rmse", "mgcv", "structure", "true_over_stated", "covered", "seconds"}, {}};
  for (const GamCell& cell : cells)
    table.rows.push_back(
        row_of({cell.example.number, cell.set, cell.rmse, cell.mgcv ? Field(*cell.mgcv) : Field(""),
                cell.outcome.stated.structure, cell.outcome.true_over_stated(), cell.outcome.truth.covered,
                cell.outcome.seconds}));
  keep_cells("gamsim", table, settings);
}

/// The data sets of one example. Ratios are of those that mgcv has fitted too.
struct GamSummary {
  std::vector<double> rmse, over_mgcv, true_over_stated, covered, seconds;

  void add(const GamCell& cell) {
    rmse.push_back(cell.rmse);
    if (cell.mgcv) over_mgcv.push_back(cell.rmse / *cell.mgcv);
    true_over_stated.push_back(cell.outcome.true_over_stated());
    covered.push_back(cell.outcome.truth.covered);
    seconds.push_back(cell.outcome.seconds);
  }
  std::vector<std::string> row(const Example& example) const {
    return {fmt::format("{}: {}", example.number, example.title),
            fmt::format("{}", example.noise),
            fmt::format("{:.3f}", mean(rmse)),
            over_mgcv.empty() ? "" : fmt::format("{:.3f}", geometric_mean(over_mgcv)),
            fmt::format("{:.3f}", geometric_mean(true_over_stated)),
            fmt::format("{:.3f}", mean(covered)),
            fmt::format("{:.2f}", mean(seconds))};
  }
};

constexpr const char* explanation =
    R"(The simulated examples 1 to 7 of R's mgcv (`gamSim`), 400 rows, {} data sets each; data set `s` of example
`e` is `default_rng(1000 e + s)`. *RMSE* is that of predictions to the truth without its noise, on 1,000
fresh rows. *Over mgcv*: divided by that of mgcv, which is given the right formula where KORE is given none
(geometric mean; `experiments/honesty/gamsim.R`). Stated errors and intervals are held against fresh rows
with their noise.

)";

constexpr const char* without_mgcv =
    "\nR with mgcv was not installed on the machine that measured this, so that the column *over mgcv* is "
    "empty.\n";

}  // namespace

void write_gamsim(const Settings& settings) {
  std::filesystem::create_directories(settings.gamsim);
  for (const GamCell& cell : cells_of(settings))
    write_table(settings.gamsim / (cell.name() + ".csv"),
                table_of(cell.example, draw_example(cell.example, cell.seed())));
}

Section gamsim_part(const Settings& settings) {
  std::vector<GamCell> cells = cells_of(settings);
  run_cells("gamsim", cells.size(), settings, [&](std::size_t i) { cells[i].run(); });
  read_mgcv(cells, settings);
  keep(cells, settings);
  MarkdownTable table({"example", "noise", "RMSE", "over mgcv", "true / stated", "covered", "seconds"});
  bool has_mgcv = false;
  for (const Example& example : examples()) {
    GamSummary summary;
    for (const GamCell& cell : cells)
      if (cell.example.number == example.number) summary.add(cell);
    table.add(summary.row(example));
    has_mgcv = has_mgcv || !summary.over_mgcv.empty();
  }
  return {"The examples of mgcv", fmt::format(fmt::runtime(explanation), settings.repeats(sets_per_example)) +
                                      table.text() + (has_mgcv ? "" : without_mgcv)};
}

}  // namespace kore::experiments::honesty
