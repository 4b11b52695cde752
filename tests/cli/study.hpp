#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/csv_text.hpp"
#include "data/materialize.hpp"
#include "data/summarize.hpp"
#include "data/table.hpp"
#include "data/table_source.hpp"
#include "experiments/random/generator.hpp"
#include "support/made_up_rows.hpp"

/// The published study on real data: which rows of which data set, split and scaled how, and what came out.
namespace kore::test {

inline std::filesystem::path shared_folder(const std::string& name) {
  return std::filesystem::path(KORE_SHARED_DIR) / name;
}

/// The sets whose files are shared; listed, because tests have names before anybody looks for files.
inline const std::vector<std::string> shared_sets{"abalone",
                                                  "airfoil_self_noise",
                                                  "auction_verification",
                                                  "energy_efficiency",
                                                  "forest_fires",
                                                  "physiochemical_protein",
                                                  "geographical_origin_of_music",
                                                  "solar_flare",
                                                  "student_performance_por",
                                                  "naval_propulsion_plant",
                                                  "red_wine",
                                                  "grid_stability",
                                                  "california_housing",
                                                  "kin8nm",
                                                  "cps88wages",
                                                  "socmob",
                                                  "brazilian_houses",
                                                  "cars",
                                                  "fifa",
                                                  "combined_cycle_power_plant"};

inline bool has_shared_data() { return std::filesystem::exists(shared_folder("data/README.md")); }
inline bool has_published_results() {
  return std::filesystem::exists(shared_folder("reference/results/real_data.csv"));
}

/// One row of the published table: KORE on one split of one data set.
struct PublishedCell {
  std::string data_set;
  std::uint64_t seed = 0;
  double rmse = 0;
  int fits = 0;
  std::string structure;
  int resolution = 0;
};

/// A data set as it is listed, with the rows that the study drew from it (none: all).
struct StudySet {
  std::string name;
  std::size_t rows = 0;
  std::vector<std::size_t> drawn;
};

/// One generator is shared by all sets in the order of the list, also by those whose files are not here.
inline std::vector<StudySet> study_sets() {
  constexpr std::size_t most_rows = 2500;
  experiments::Generator generator(2026);
  std::vector<StudySet> sets;
  for (const auto& line : read_csv_text(shared_folder("reference/results/dataset_metadata.csv"))) {
    StudySet set{line.at("dataset"), std::stoul(line.at("n")), {}};
    if (set.rows > most_rows) {
      set.drawn = generator.choice(set.rows, most_rows);
      std::sort(set.drawn.begin(), set.drawn.end());
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

inline std::string study_file(const std::string& set) {
  return (shared_folder("data") / (set + ".csv.gz")).string();
}

inline std::vector<StudySet> sets_with_files() {
  std::vector<StudySet> sets = study_sets();
  std::erase_if(sets, [](const StudySet& set) { return !std::filesystem::exists(study_file(set.name)); });
  return sets;
}

inline std::vector<std::string> categorical_columns(const std::string& set) {
  std::ifstream file(shared_folder("data/categorical_columns.json"));
  return nlohmann::json::parse(file).at(set).get<std::vector<std::string>>();
}

/// The column to predict is the last one.
inline std::string study_target(const std::string& set) {
  return data::open_table(study_file(set)).column_names().back();
}

inline std::map<std::string, std::vector<PublishedCell>> published_cells() {
  std::map<std::string, std::vector<PublishedCell>> cells;
  for (const auto& line : read_csv_text(shared_folder("reference/results/real_data.csv"))) {
    if (line.at("method") != "kore") continue;
    std::string chosen = line.at("best_hp");
    std::replace(chosen.begin(), chosen.end(), '\'', '"');
    const auto json = nlohmann::json::parse(chosen);
    cells[line.at("dataset")].push_back({line.at("dataset"), std::stoul(line.at("seed")),
                                         std::stod(line.at("rmse_test")), std::stoi(line.at("n_fits")),
                                         json.at("structure"), json.at("G_star")});
  }
  for (auto& [set, list] : cells)
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.seed < b.seed; });
  return cells;
}

/// The rows of the study, encoded as the paper does it: on the full file, then drawn.
inline Rows study_rows(const StudySet& set) {
  data::ReadOptions reading;
  reading.text_columns = categorical_columns(set.name);
  const data::Table table = data::open_table(study_file(set.name), reading);
  data::ColumnChoice choice;
  choice.target = table.column_names().back();
  choice.categorical = reading.text_columns;
  const data::TableSummary summary = data::summarize(table, choice);
  const data::Encoding encoding = data::make_encoding(summary.columns, data::EncodingOptions::paper());
  const data::OwnedRows owned = data::materialize(data::TableSource(table, encoding, summary), summary.rows);
  const RowBlock block = owned.block();
  Rows rows{block.rows(), block.x.columns(), {}, {block.y.begin(), block.y.end()}, {}};
  for (std::size_t j = 0; j < rows.columns; ++j)
    for (std::size_t r = 0; r < rows.count; ++r) rows.x.push_back(block.x(r, j));
  return set.drawn.empty() ? rows : rows.pick(set.drawn);
}

struct Split {
  Rows train;
  Rows test;
};

/// Four fifths of the rows to learn from. Features are scaled to the box of the training rows; test rows
/// outside of it are moved to its surface.
inline Split study_split(const Rows& rows, std::uint64_t seed) {
  const std::vector<std::size_t> order = experiments::Generator(1000 * seed + 7).permutation(rows.count);
  const auto cut = static_cast<std::size_t>(0.8 * static_cast<double>(rows.count));
  Split split{rows.pick(std::span(order).first(cut)), rows.pick(std::span(order).subspan(cut))};
  for (std::size_t j = 0; j < rows.columns; ++j) {
    const std::vector<double> column = split.train.column(j);
    const auto [lowest, highest] = std::minmax_element(column.begin(), column.end());
    const double low = *lowest;
    const double extent = *highest > low ? *highest - low : 1.0;
    for (Rows* part : {&split.train, &split.test})
      for (std::size_t r = 0; r < part->count; ++r)
        part->at(r, j) = std::clamp((part->at(r, j) - low) / extent, 0.0, 1.0);
  }
  return split;
}

inline double root_mean_square_error(const std::vector<double>& predicted, const std::vector<double>& truth) {
  double squares = 0;
  for (std::size_t r = 0; r < truth.size(); ++r)
    squares += (predicted[r] - truth[r]) * (predicted[r] - truth[r]);
  return std::sqrt(squares / static_cast<double>(truth.size()));
}

}  // namespace kore::test
