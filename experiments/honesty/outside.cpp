#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "experiments/averages.hpp"
#include "experiments/honesty/cells.hpp"
#include "experiments/honesty/parts.hpp"
#include "experiments/honesty/table_cells.hpp"
#include "experiments/random/generator.hpp"
#include "kore/fit.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::array outside_sets{"abalone",
                                  "airfoil_self_noise",
                                  "energy_efficiency",
                                  "physiochemical_protein",
                                  "red_wine",
                                  "california_housing",
                                  "kin8nm",
                                  "combined_cycle_power_plant"};
constexpr std::size_t most_rows = 1000;  // of training, and of those that judge
constexpr std::size_t moved_rows = 200;
constexpr std::size_t fewest_values = 10;  // of a feature whose ends are cut off
constexpr double cut_share = 0.1;          // on either side

std::vector<double> sorted_column(const StudyRows& rows, std::size_t column) {
  std::vector<double> values(rows.x.begin() + static_cast<std::ptrdiff_t>(column * rows.count),
                             rows.x.begin() + static_cast<std::ptrdiff_t>((column + 1) * rows.count));
  std::ranges::sort(values);
  return values;
}

bool takes_many_values(const StudyRows& rows, std::size_t column) {
  const std::vector<double> values = sorted_column(rows, column);
  return std::set<double>(values.begin(), values.end()).size() >= fewest_values;
}

/// Rows moved outside the range of `train`, by 10 to 50 % of it: in one column, or in half of them.
StudyRows moved_outside(StudyRows rows, const StudyRows& train, bool several, Generator& random) {
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::size_t columns = several ? std::max<std::size_t>(2, rows.columns / 2) : 1;
    for (const std::size_t j : random.choice(rows.columns, columns)) {
      const std::vector<double> values = sorted_column(train, j);
      const double distance = random.uniform(0.1, 0.5) * (values.back() - values.front());
      rows.x[j * rows.count + r] =
          random.random() < 0.5 ? values.front() - distance : values.back() + distance;
    }
  }
  return rows;
}

/// One table: predictions of rows that were moved outside.
struct MovedCell {
  std::string set;
  std::array<std::size_t, 2> beyond = {};  ///< By more than half the target's range; one column, several.
  std::array<double, 2> furthest = {};     ///< In units of the target's range.

  void run(const StudyRows& all) {
    const StudySplit split = draw_rows(all, std::min(most_rows, all.count - moved_rows), 0);
    Options options = split.train.features;
    options.threads = 1;
    const Model model = fit(MemorySource(split.train.view(), split.train.y), options);
    const auto [lowest, highest] = std::ranges::minmax(split.train.y);
    std::vector<std::size_t> first(moved_rows);
    for (std::size_t r = 0; r < moved_rows; ++r) first[r] = r;
    StudyRows fresh = pick(split.test, first);
    Generator random(500);
    for (const bool several : {false, true}) {
      const StudyRows moved = moved_outside(fresh, split.train, several, random);
      for (const double value : predict(model, moved.view())) {
        const double distance = std::max({lowest - value, value - highest, 0.0}) / (highest - lowest);
        beyond[several ? 1 : 0] += distance > 0.5 * (1 + 1e-12) ? 1 : 0;
        furthest[several ? 1 : 0] = std::max(furthest[several ? 1 : 0], distance);
      }
    }
  }
};

/// One feature of a table: the rows with its inner values are learned from, and those outside judge.
struct CutCell {
  std::string set;
  std::size_t feature = 0;
  double covered = 0;
  double rmse = 0;    ///< Of the rows outside,
  double stated = 0;  ///< and as stated for rows inside.

  void run(const StudyRows& all) {
    const std::vector<double> values = sorted_column(all, feature);
    const auto count = static_cast<double>(values.size());
    const double low = values[static_cast<std::size_t>(cut_share * count)];
    const double high = values[static_cast<std::size_t>((1 - cut_share) * count)];
    std::vector<std::size_t> inside;
    std::vector<std::size_t> outside;
    for (const std::size_t r : Generator(600 + feature).permutation(all.count)) {
      const double value = all.x[feature * all.count + r];
      std::vector<std::size_t>& side = value < low || value > high ? outside : inside;
      if (side.size() < most_rows) side.push_back(r);
    }
    if (outside.empty() || inside.empty()) return;
    const Outcome outcome = measure(pick(all, inside), pick(all, outside));
    covered = outcome.truth.covered;
    rmse = outcome.truth.rmse;
    stated = outcome.stated.rmse;
  }
};

struct OutsideCells {
  std::vector<MovedCell> moved;
  std::vector<CutCell> cut;
};

OutsideCells run_outside(const Settings& settings) {
  std::map<std::string, StudyRows> tables;
  OutsideCells cells;
  for (const char* set : outside_sets) {
    if (!settings.asks_for_set(set)) continue;
    const StudyRows& rows = tables[set] = load_set(settings, set);
    cells.moved.push_back({set});
    for (std::size_t j = 0; j < rows.columns; ++j)
      if (takes_many_values(rows, j)) cells.cut.push_back({set, j});
  }
  run_cells("moved", cells.moved.size(), settings,
            [&](std::size_t i) { cells.moved[i].run(tables.at(cells.moved[i].set)); });
  run_cells("cut", cells.cut.size(), settings,
            [&](std::size_t i) { cells.cut[i].run(tables.at(cells.cut[i].set)); });
  std::erase_if(cells.cut, [](const CutCell& cell) { return !(cell.stated > 0); });
  return cells;
}

void keep(const OutsideCells& cells, const Settings& settings) {
  Table table{{"set", "feature", "covered", "rmse_outside", "rmse_stated"}, {}};
  for (const CutCell& cell : cells.cut)
    table.rows.push_back(row_of({cell.set, cell.feature, cell.covered, cell.rmse, cell.stated}));
  keep_cells("outside", table, settings);
}

constexpr const char* explanation =
    R"(Two questions about rows outside the training range. *Moved*: 200 fresh rows of each table, moved
outside by 10 to 50 % of the range in one column, and in half of them. How many are predicted beyond the
target's training range by more than half of it, and how far is the furthest, in units of that range? *Cut*:
for every feature with at least ten values, the model learns from rows with the inner 80 % of its values, at
most 1,000, and the others judge. *Error* is their RMSE over the stated one, which is meant for rows inside;
*covered* is the share of them inside their 90 % intervals, which widen with the distance: the mean over the
features, and the worst feature.

)";

/// Adds the row of a table, and returns its mean coverage.
double add_row(MarkdownTable& table, const MovedCell& moved, std::span<const CutCell> cut) {
  std::vector<double> covered;
  std::vector<double> errors;
  for (const CutCell& cell : cut) {
    if (cell.set != moved.set) continue;
    covered.push_back(cell.covered);
    errors.push_back(cell.rmse / cell.stated);
  }
  const double least = covered.empty() ? 0 : std::ranges::min(covered);
  table.add({moved.set, fmt::format("{} / {}", moved.beyond[0], moved.beyond[1]),
             fmt::format("{:.2f} / {:.2f}", moved.furthest[0], moved.furthest[1]),
             std::to_string(covered.size()), fmt::format("{:.2f}", geometric_mean(errors)),
             fmt::format("{:.3f}", mean(covered)), fmt::format("{:.3f}", least)});
  return mean(covered);
}

}  // namespace

Section outside_part(const Settings& settings) {
  const OutsideCells cells = run_outside(settings);
  keep(cells, settings);
  MarkdownTable table(
      {"table", "moved: beyond", "moved: furthest", "features cut", "error", "covered", "worst feature"});
  double worst = 1;
  std::size_t beyond = 0;
  for (const MovedCell& moved : cells.moved) {
    worst = std::min(worst, add_row(table, moved, cells.cut));
    beyond += moved.beyond[0] + moved.beyond[1];
  }
  return {"Rows outside the training range",
          explanation + table.text(),
          {{"rows moved outside: predicted far beyond the target", "0", std::to_string(beyond), beyond == 0},
           {"rows really outside: covered by 90 % intervals, worst table", "at least 0.75",
            fmt::format("{:.3f}", worst), worst >= 0.75}}};
}

}  // namespace kore::experiments::honesty
