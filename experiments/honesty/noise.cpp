#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/averages.hpp"
#include "experiments/honesty/cells.hpp"
#include "experiments/honesty/outcome.hpp"
#include "experiments/honesty/parts.hpp"
#include "experiments/random/generator.hpp"

namespace kore::experiments::honesty {
namespace {

struct Size {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool positive = false;  ///< The target is the exponential of normal noise, so that scales compete.

  std::string name() const { return fmt::format("{} x {}{}", rows, columns, positive ? " positive" : ""); }
};
constexpr std::array<Size, 12> sizes{{{30, 5},
                                      {30, 10},
                                      {60, 10},
                                      {60, 20},
                                      {100, 20},
                                      {100, 30},
                                      {200, 20},
                                      {200, 30},
                                      {500, 30},
                                      {60, 10, true},
                                      {100, 10, true},
                                      {200, 10, true}}};
constexpr std::size_t tables_per_size = 30;
constexpr std::size_t fresh_rows = 2000;

constexpr double most_suitable = 0.05;
constexpr double largest_r2 = 0.25;
constexpr double largest_error = 1.03;

constexpr double positive_deviation = 0.5;  // of the logarithm

StudyRows noise_rows(Generator& generator, const Size& size, std::size_t rows) {
  StudyRows made{rows, size.columns, generator.normal(0, 1, rows * size.columns),
                 generator.normal(0, 1, rows)};
  if (size.positive)
    for (double& y : made.y) y = std::exp(positive_deviation * y);
  return made;
}

struct NoiseCell {
  Size size;
  std::size_t table = 0;
  Outcome outcome = {};
  double over_mean = 0;  ///< True error over that of the training mean.

  /// Training rows first, column by column, then their target; then the fresh rows.
  void run() {
    Generator generator(1'000'000 * size.rows + 1'000 * size.columns + table);
    const StudyRows train = noise_rows(generator, size, size.rows);
    const StudyRows fresh = noise_rows(generator, size, fresh_rows);
    outcome = measure(train, fresh);
    const std::vector<double> constant(fresh_rows, mean(train.y));
    over_mean = outcome.truth.rmse / root_mean_square_error(constant, fresh.y);
  }
};

/// Of the tables of one size.
struct NoiseSummary {
  std::vector<double> suitable, r2, over_mean, true_over_stated, noise_variance, covered, seconds;

  void add(const NoiseCell& cell) {
    suitable.push_back(cell.outcome.stated.suitable ? 1 : 0);
    r2.push_back(cell.outcome.stated.r2);
    over_mean.push_back(cell.over_mean);
    true_over_stated.push_back(cell.outcome.true_over_stated());
    noise_variance.push_back(cell.outcome.stated.noise_variance);
    covered.push_back(cell.outcome.truth.covered);
    seconds.push_back(cell.outcome.seconds);
  }
  std::vector<std::string> row(const std::string& name) const {
    return {name,
            fmt::format("{:.0f} %", 100 * mean(suitable)),
            fmt::format("{:.2f}", std::ranges::max(r2)),
            fmt::format("{:.3f}", mean(over_mean)),
            fmt::format("{:.3f}", geometric_mean(true_over_stated)),
            fmt::format("{:.2f}", mean(noise_variance)),
            fmt::format("{:.3f}", mean(covered)),
            fmt::format("{:.2f}", mean(seconds))};
  }
};

std::vector<NoiseCell> run_noise(const Settings& settings) {
  std::vector<NoiseCell> cells;
  for (const Size& size : sizes)
    for (std::size_t table = 0;
         settings.asks_for_set(size.name()) && table < settings.repeats(tables_per_size); ++table)
      cells.push_back({size, table});
  run_cells("noise", cells.size(), settings, [&](std::size_t i) { cells[i].run(); });
  return cells;
}

void keep(const std::vector<NoiseCell>& cells, const Settings& settings) {
  Table table{{"rows", "columns", "positive", "table", "suitable", "structure", "r2", "over_mean",
               "true_over_stated", "noise_variance", "covered", "seconds"},
              {}};
  for (const NoiseCell& cell : cells)
    table.rows.push_back(
        row_of({cell.size.rows, cell.size.columns, cell.size.positive, cell.table,
                cell.outcome.stated.suitable, cell.outcome.stated.structure, cell.outcome.stated.r2,
                cell.over_mean, cell.outcome.true_over_stated(), cell.outcome.stated.noise_variance,
                cell.outcome.truth.covered, cell.outcome.seconds}));
  keep_cells("noise", table, settings);
}

constexpr const char* explanation =
    R"(Features and target are independent standard Gaussians, so that no feature says anything about the target.
Best is to say so and to predict the mean. The columns:

- *suitable*: share of the tables whose verdict begins with this word.
- *largest R²*: the largest that was stated.
- *error / mean's*: true error over that of the training mean on the same 2,000 fresh rows, mean over the
  tables.
- *noise variance*: as estimated, mean over the tables; the truth is 1, and 0.36 where the target is positive.

{} tables per size. Table `t` of size `n x d` is `default_rng(1000000 n + 1000 d + t)` of NumPy: features
column by column, target, then the same for the fresh rows. *Positive* targets are `exp(0.5 y)`: there
scales of the target compete.

)";

}  // namespace

Section noise_part(const Settings& settings) {
  const std::vector<NoiseCell> cells = run_noise(settings);
  keep(cells, settings);
  if (cells.empty()) return {"Pure noise", "No size was asked for.\n", {}};
  MarkdownTable table({"rows x features", "suitable", "largest R²", "error / mean's", "true / stated",
                       "noise variance", "covered", "seconds"});
  NoiseSummary all;
  double worst_error = 0;
  for (const Size& size : sizes) {
    NoiseSummary summary;
    for (const NoiseCell& cell : cells)
      if (cell.size.name() == size.name()) summary.add(cell);
    if (summary.r2.empty()) continue;
    table.add(summary.row(size.name()));
    worst_error = std::max(worst_error, mean(summary.over_mean));
  }
  for (const NoiseCell& cell : cells) all.add(cell);
  table.add(all.row("all"));
  const double suitable = mean(all.suitable);
  const double r2 = std::ranges::max(all.r2);
  return {"Pure noise",
          fmt::format(fmt::runtime(explanation), settings.repeats(tables_per_size)) + table.text(),
          {{"noise called suitable", "at most 5 %", fmt::format("{:.1f} %", 100 * suitable),
            suitable <= most_suitable},
           {"largest R² stated for noise", "at most 0.25", fmt::format("{:.2f}", r2), r2 <= largest_r2},
           {"error on fresh rows over the mean's, worst size", "at most 1.03",
            fmt::format("{:.3f}", worst_error), worst_error <= largest_error}}};
}

}  // namespace kore::experiments::honesty
