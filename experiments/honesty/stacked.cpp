#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/averages.hpp"
#include "experiments/honesty/cells.hpp"
#include "experiments/honesty/parts.hpp"
#include "experiments/honesty/table_cells.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::size_t rows_once = 300;
/// Sums in another order differ in their last digits, and penalty weights are solved for with those.
constexpr double rounding = 1e-6;

StudyRows stacked_twice(const StudyRows& rows) {
  std::vector<std::size_t> twice(2 * rows.count);
  for (std::size_t i = 0; i < twice.size(); ++i) twice[i] = i % rows.count;
  return pick(rows, twice);
}

/// One table: given once, given twice, and given once with every row counting two.
struct StackedCell {
  std::string set;
  Outcome once = {};
  Outcome twice = {};
  Outcome weighted = {};
  double target_deviation = 0;

  void run(const StudyRows& all) {
    const StudySplit split = draw_rows(all, rows_once, 0);
    const std::vector<double> twos(split.train.count, 2.0);
    once = measure(split.train, split.test);
    twice = measure(stacked_twice(split.train), split.test);
    weighted = measure(split.train, split.test, twos);
    target_deviation = deviation(split.train.y);
  }
  double prediction_difference() const {
    double largest = 0;
    for (std::size_t r = 0; r < twice.predicted.size(); ++r)
      largest = std::max(largest, std::abs(twice.predicted[r] - weighted.predicted[r]));
    return largest / target_deviation;
  }
  double stated_difference() const {
    return std::abs(twice.stated.rmse - weighted.stated.rmse) / weighted.stated.rmse;
  }
  std::vector<std::string> row() const {
    const auto number = [&](double value) { return fmt::format("{:.3f}", value / target_deviation); };
    return {set,
            number(once.stated.rmse),
            number(twice.stated.rmse),
            number(weighted.stated.rmse),
            number(once.truth.rmse),
            number(twice.truth.rmse),
            number(weighted.truth.rmse),
            fmt::format("{:.1e}", prediction_difference()),
            fmt::format("{:.1e}", stated_difference())};
  }
};

std::vector<StackedCell> run_stacked(const Settings& settings) {
  std::vector<StackedCell> cells;
  std::vector<StudyRows> tables;
  for (const std::string& set : asked_sets(settings)) {
    cells.push_back({set});
    tables.push_back(load_set(settings, set));
  }
  run_cells("stacked", cells.size(), settings, [&](std::size_t i) { cells[i].run(tables[i]); });
  return cells;
}

constexpr const char* explanation =
    R"(The 300 rows of draw 0 of each table, given once, stacked twice, and given once with every row counting two.
Stacked rows hold nothing new, so that the error on rows that the fit has not seen should not change, and a
row with weight two is a row given twice. Errors are divided by the deviation of the target. The last two
columns compare stacked rows with weight two: the largest difference of predictions, divided by that
deviation, and the relative difference of the stated errors.

)";

}  // namespace

Section stacked_part(const Settings& settings) {
  const std::vector<StackedCell> cells = run_stacked(settings);
  MarkdownTable table({"table", "stated: once", "stacked", "weight two", "true: once", "stacked",
                       "weight two", "predictions differ", "stated errors differ"});
  double predictions = 0;
  double stated = 0;
  std::vector<double> over_once;
  for (const StackedCell& cell : cells) {
    table.add(cell.row());
    predictions = std::max(predictions, cell.prediction_difference());
    stated = std::max(stated, cell.stated_difference());
    over_once.push_back(cell.twice.truth.rmse / cell.once.truth.rmse);
  }
  const std::string note = fmt::format(
      "\nThe true error of stacked rows is {:.3f} of that of the rows given once (geometric mean).\n",
      geometric_mean(over_once));
  return {"Rows given twice",
          explanation + table.text() + note,
          {{"stacked twice or weight two: predictions differ", "at most 1e-6",
            fmt::format("{:.1e}", predictions), predictions <= rounding},
           {"stacked twice or weight two: stated errors differ", "at most 1e-6",
            fmt::format("{:.1e}", stated), stated <= rounding}}};
}

}  // namespace kore::experiments::honesty
