#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "duckdb/rows_of.hpp"
#include "duckdb/scratch.hpp"

namespace kore::duckdb {
namespace {

namespace fs = std::filesystem;

struct DataSet {
  std::size_t rows = 0;
  std::size_t encoded_columns = 0;
};

/// The fields of a line "| a | b | c |", or nothing if it is no such line.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  if (!line.starts_with("| ")) return fields;
  for (std::size_t at = 2, end = 0; (end = line.find(" |", at)) != std::string::npos; at = end + 3) {
    fields.push_back(line.substr(at, end - at));
    if (end + 2 == line.size()) break;
  }
  return fields;
}

/// The table of data sets as their description states it: | name | n | raw | after dummies | target |
std::map<std::string, DataSet> described(const fs::path& readme) {
  std::map<std::string, DataSet> sets;
  std::ifstream file(readme);
  for (std::string line; std::getline(file, line);) {
    const auto fields = fields_of(line);
    if (fields.size() == 5 && std::isdigit(static_cast<unsigned char>(fields[1].front())) != 0)
      sets[fields[0]] = {std::stoul(fields[1]), std::stoul(fields[3])};
  }
  return sets;
}

class SharedData : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(folder / "README.md")) GTEST_SKIP() << "the real data sets are not on this machine";
    sets = described(folder / "README.md");
    std::ifstream file(folder / "categorical_columns.json");
    categorical = nlohmann::json::parse(file);
    ASSERT_EQ(sets.size(), 20U);
  }

  std::string path_of(const std::string& name) const { return (folder / (name + ".csv.gz")).string(); }
  /// The target is the last column.
  table::ColumnChoice target_of(const std::string& name) const {
    return testing::target(open_table(path_of(name)).column_names().back());
  }

  const fs::path folder = fs::path(KORE_SHARED_DIR) / "data";
  std::map<std::string, DataSet> sets;
  nlohmann::json categorical;
};

TEST_F(SharedData, EncodesEveryFileToThePublishedColumns) {
  for (const auto& [name, expected] : sets) {
    SCOPED_TRACE(name);
    table::ColumnChoice choice = target_of(name);
    choice.categorical = categorical.at(name).get<std::vector<std::string>>();
    const auto encoded = testing::encode_table(path_of(name), choice, table::EncodingOptions::paper());
    EXPECT_EQ(encoded.encoding.features.size(), expected.encoded_columns);
    const table::OwnedRows rows = table::materialize(
        TableSource(encoded.table, encoded.encoding, encoded.summary), encoded.summary.rows);
    EXPECT_EQ(rows.rows(), expected.rows);
    const RowBlock block = rows.block();
    bool finite = true;
    for (std::size_t j = 0; j < block.x.columns(); ++j)
      for (std::size_t i = 0; i < block.rows(); ++i) finite = finite && std::isfinite(block.x(i, j));
    EXPECT_TRUE(finite);
    // Every category is complete in these files, so the indicators of one sum to one in every row.
    std::vector<std::vector<double>> sums(encoded.encoding.columns.size(), std::vector<double>(block.rows()));
    for (std::size_t j = 0; j < block.x.columns(); ++j)
      if (encoded.encoding.features[j].kind == table::EncodedKind::indicator)
        for (std::size_t i = 0; i < block.rows(); ++i)
          sums[encoded.encoding.features[j].column][i] += block.x(i, j);
    for (std::size_t c = 0; c < sums.size(); ++c) {
      if (!encoded.encoding.columns[c].category) continue;
      EXPECT_TRUE(std::all_of(sums[c].begin(), sums[c].end(), [](double s) { return s == 1.0; }));
    }
  }
}

TEST_F(SharedData, EncodesEveryFileByDefaultWithoutBeingToldAnything) {
  for (const auto& [name, expected] : sets) {
    SCOPED_TRACE(name);
    const auto encoded = testing::encode_table(path_of(name), target_of(name));
    EXPECT_EQ(encoded.summary.rows, expected.rows);
    EXPECT_FALSE(encoded.encoding.features.empty());
  }
}

}  // namespace
}  // namespace kore::duckdb
