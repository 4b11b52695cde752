#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/csv_text.hpp"
#include "duckdb/table.hpp"
#include "experiments/real_data/sets.hpp"
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

inline experiments::StudyFolders study_folders() {
  return {shared_folder("data"), shared_folder("reference/results")};
}

inline std::string study_file(const std::string& set) {
  return experiments::study_file(study_folders(), set).string();
}

inline std::vector<std::string> categorical_columns(const std::string& set) {
  return experiments::categorical_columns(study_folders(), set);
}

/// The column to predict is the last one.
inline std::string study_target(const std::string& set) {
  return duckdb::open_table(study_file(set)).column_names().back();
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

inline Rows to_rows(const experiments::StudyRows& rows) {
  return {rows.count, rows.columns, rows.x, rows.y, {}};
}

}  // namespace kore::test
