#include "experiments/honesty/table_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "experiments/honesty/cells.hpp"
#include "experiments/random/generator.hpp"

namespace kore::experiments::honesty {
namespace {

constexpr std::array all_sets{"abalone",
                              "airfoil_self_noise",
                              "energy_efficiency",
                              "forest_fires",
                              "physiochemical_protein",
                              "solar_flare",
                              "red_wine",
                              "grid_stability",
                              "california_housing",
                              "kin8nm",
                              "cps88wages",
                              "cars",
                              "combined_cycle_power_plant"};
constexpr std::size_t most_fresh_rows = 2000;
constexpr std::size_t fewest_fresh_rows = 150;

/// Features that are constant in the training rows are dropped from both parts. Two values determine a line
/// and no curve, as whoever reads a table of these rows alone would find.
void keep_features_of_training_rows(StudySplit& split) {
  StudySplit kept{{split.train.count, 0, {}, split.train.y}, {split.test.count, 0, {}, split.test.y}};
  const auto copy_column = [](const StudyRows& from, StudyRows& to, std::size_t j) {
    const auto column = std::span(from.x).subspan(j * from.count, from.count);
    to.x.insert(to.x.end(), column.begin(), column.end());
    ++to.columns;
  };
  for (std::size_t j = 0; j < split.train.columns; ++j) {
    const auto column = std::span(split.train.x).subspan(j * split.train.count, split.train.count);
    const std::size_t values = std::set<double>(column.begin(), column.end()).size();
    if (values < 2) continue;
    copy_column(split.train, kept.train, j);
    copy_column(split.test, kept.test, j);
    kept.train.features.kinds.push_back(values == 2 ? FeatureKind::linear : split.train.features.kinds[j]);
  }
  split = std::move(kept);
}

std::string skipped_sentence(const std::vector<std::string>& skipped) {
  if (skipped.empty()) return "";
  std::string list;
  for (const std::string& cell : skipped) list += (list.empty() ? "" : ", ") + cell;
  return fmt::format("\nLeft out because fewer than {} rows would judge them: {}.", fewest_fresh_rows, list);
}

}  // namespace

std::vector<std::string> asked_sets(const Settings& settings) {
  std::vector<std::string> sets;
  for (const char* set : all_sets)
    if (settings.asks_for_set(set)) sets.emplace_back(set);
  return sets;
}

StudyRows load_set(const Settings& settings, const std::string& set) {
  const StudyFolders folders{settings.data, {}};
  if (!std::filesystem::exists(study_file(folders, set)))
    throw std::runtime_error(fmt::format("There is no file '{}'.", study_file(folders, set).string()));
  return study_rows(folders, {set, 0, {}});
}

StudySplit draw_rows(const StudyRows& all, std::size_t rows, std::size_t draw) {
  const std::vector<std::size_t> order = Generator(100 + draw).permutation(all.count);
  const std::size_t fresh = std::min(most_fresh_rows, all.count - rows);
  StudySplit split{pick(all, std::span(order).first(rows)), pick(all, std::span(order).subspan(rows, fresh))};
  keep_features_of_training_rows(split);
  return split;
}

TableCells run_tables(const Settings& settings) {
  std::map<std::string, StudyRows> tables;
  TableCells run;
  std::vector<std::string> skipped;
  for (const std::string& set : asked_sets(settings)) tables[set] = load_set(settings, set);
  for (const std::string& set : asked_sets(settings))
    for (const std::size_t rows : table_sizes) {
      if (tables[set].count < rows + fewest_fresh_rows)
        skipped.push_back(fmt::format("{} at {}", set, rows));
      else
        for (std::size_t draw = 0; draw < settings.repeats(draws_per_cell); ++draw)
          run.cells.push_back({set, rows, draw});
    }
  run_cells("tables", run.cells.size(), settings, [&](std::size_t i) {
    TableCell& cell = run.cells[i];
    const StudySplit split = draw_rows(tables.at(cell.set), cell.rows, cell.draw);
    cell.features = split.train.columns;
    cell.kore = measure(split.train, split.test);
    cell.ridge = measure_ridge(split.train, split.test);
  });
  run.skipped = skipped_sentence(skipped);
  return run;
}

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" :")); }

}  // namespace kore::experiments::honesty
