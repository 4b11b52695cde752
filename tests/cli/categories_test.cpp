// Models whose categories are positions of levels, used by the commands: people see names.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "cli/run_command.hpp"
#include "duckdb/summarize.hpp"
#include "duckdb/table.hpp"
#include "duckdb/table_source.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"
#include "table/owned_rows.hpp"

namespace kore {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

const Names all_levels{"Aachen", "Bonn", "Cologne, old town", "(missing)", "(other)"};
constexpr std::array premium{0.0, 120.0, 300.0, -50.0};

/// The rent of flats in three cities, with gaps in the city.
std::string rents_csv() {
  std::string text = "city,size,rent\n";
  for (std::size_t i = 0; i < 400; ++i) {
    const std::size_t city = i * 7919 % 23 % 4;
    const double size = 20 + static_cast<double>(i * 104729 % 131);
    const std::string name = city == 3 ? "" : city == 2 ? "\"" + all_levels[2] + "\"" : all_levels[city];
    const double rent = 200 + premium[city] + (city == 1 ? 12 : 9) * size + static_cast<double>(i % 5);
    text += name + "," + std::to_string(size) + "," + std::to_string(rent) + "\n";
  }
  return text;
}

class CategoriesTest : public test::CommandTest {
 protected:
  void SetUp() override {
    duckdb::ReadOptions reading;
    reading.text_columns = {"city"};
    const duckdb::Table table = duckdb::open_table(folder.write("rents.csv", rents_csv()), reading);
    table::ColumnChoice choice;
    choice.target = "rent";
    const table::TableSummary summary = duckdb::summarize(table, choice);
    table::EncodingOptions codes;
    codes.category_codes = true;
    const table::Encoding encoding = table::make_encoding(summary.columns, codes);
    const table::OwnedRows rows = table::materialize(duckdb::TableSource(table, encoding, summary));
    Options options;
    options.kinds = {FeatureKind::category, FeatureKind::spline};
    options.levels = {static_cast<int>(all_levels.size()), 0};
    table::TableModel model{fit(rows, options, {{"city", "size"}, "rent"}), encoding, {}};
    model.facts.profile = "default";
    model.facts.origin = "the file 'rents.csv'";
    table::save(model, folder.path("rents.kore"));
  }

  json term(const Names& features) {
    const json effects = kore({"effects", "rents.kore", "--format", "json", "--surface-points", "3"}).json();
    for (const json& term : effects.at("terms"))
      if (term.at("features") == json(features)) return term;
    return {};
  }
};

TEST_F(CategoriesTest, HaveAnEffectForEveryLevelByName) {
  const json city = term({"city"});
  EXPECT_EQ(city.at("kind"), "levels");
  EXPECT_EQ(city.at("points").at(0), json(all_levels));
  // At the mean size: 3 more per square metre in Bonn.
  const double bonn = city.at("effect").at(1).get<double>() - city.at("effect").at(0).get<double>();
  EXPECT_NEAR(bonn, 120 + 3 * 85, 20);
}

TEST_F(CategoriesTest, HaveACurveForEveryLevelByName) {
  const json surface = term({"city", "size"});
  EXPECT_EQ(surface.at("kind"), "surface");
  ASSERT_EQ(surface.at("effect").size(), all_levels.size() * 3);
  for (std::size_t i = 0; i < surface.at("effect").size(); ++i)
    EXPECT_EQ(surface.at("points").at(0).at(i), all_levels[i / 3]);
  EXPECT_TRUE(surface.at("points").at(1).at(0).is_number());
}

TEST_F(CategoriesTest, AreWrittenToTablesByName) {
  kore({"effects", "rents.kore", "-o", "effects"});
  std::string file;
  for (const auto& row : test::csv_lines(folder.read("effects/effects.csv"))) {
    if (row.at("term") != "city") continue;
    EXPECT_EQ(row.at("kind"), "levels");
    file = row.at("file");
  }
  Names names;
  for (const auto& row : test::csv_lines(folder.read("effects/" + file))) names.push_back(row.at("city"));
  EXPECT_EQ(names, all_levels);
  std::set<std::string> seen;
  for (const auto& row : test::csv_lines(kore({"effects", "rents.kore", "--format", "csv"}).out))
    if (row.at("term") == "city") seen.insert(row.at("x1"));
  EXPECT_EQ(seen, std::set<std::string>(all_levels.begin(), all_levels.end()));
  EXPECT_SAYS(kore({"effects", "rents.kore"}).out, "city × size");
}

TEST_F(CategoriesTest, ArePredictedByNameAndUnseenLevelsAreTold) {
  folder.write("new.csv", "size,city\n80,Bonn\n80,\"Cologne, old town\"\n80,\n80,Dortmund\n80,Essen\n");
  const auto outcome = run({"predict", "rents.kore", "new.csv"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto predicted = test::csv_numbers(outcome.out, "prediction");
  ASSERT_EQ(predicted.size(), 5U);
  EXPECT_NEAR(predicted[0], 200 + 120 + 12 * 80, 8);
  EXPECT_NEAR(predicted[1], 200 + 300 + 9 * 80, 8);
  EXPECT_NEAR(predicted[2], 200 - 50 + 9 * 80, 8);
  EXPECT_EQ(predicted[3], predicted[4]);
  EXPECT_SAYS(outcome.err, "Column 'city': 2 rows with a level that training did not have; predicted as");
  EXPECT_EQ(outcome.err.find("far outside"), std::string::npos) << "a level is never far";
}

/// Codes of a typed table keep their zeros in a text file: '007' is another level than '7'.
TEST_F(CategoriesTest, OfDigitsAreMatchedAsTextsInEveryKindOfTable) {
  const std::string query =
      "SELECT ['007', '7', '70'][1 + i % 3] AS code, i % 17 AS x, 10 * (i % 3) + i % 17 AS y FROM range(300) "
      "t(i)";
  kore({"fit", query, "--target", "y", "-o", "codes.kore", "-q"});
  const json code = kore({"info", "codes.kore", "--json"}).json().at("features").at(0);
  EXPECT_EQ(code.at("levels"), (json{"007", "7", "70"}));
  folder.write("new.csv", "code,x\n007,3\n7,3\n70,3\n");
  folder.write("new.json", R"([{"code":"007","x":3},{"code":"7","x":3},{"code":"70","x":3}])");
  for (const std::string file : {"new.csv", "new.json"}) {
    const auto outcome = run({"predict", "codes.kore", file});
    EXPECT_EQ(outcome.err, "") << file;
    const auto predicted = test::csv_numbers(outcome.out, "prediction");
    ASSERT_EQ(predicted.size(), 3U);
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_NEAR(predicted[row], 10 * static_cast<double>(row) + 3, 0.1) << file;
  }
}

TEST_F(CategoriesTest, ShrinkSoThatHundredsOfLevelsPay) {
  std::string rows = "shop,x,y\n";
  std::string fresh = rows;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> effects(200);
  for (double& effect : effects) effect = normal(random);
  for (int i = 0; i < 6000; ++i) {
    const double x = static_cast<double>(random() % 1000) / 1000;
    const double y = effects[static_cast<std::size_t>(i % 200)] + std::sin(6 * x) + 0.1 * normal(random);
    (i < 3000 ? rows : fresh) +=
        "shop" + std::to_string(i % 200) + "," + std::to_string(x) + "," + std::to_string(y) + "\n";
  }
  folder.write("shops.csv", rows);
  folder.write("fresh.csv", fresh);
  const json fit = kore({"fit", "shops.csv", "--target", "y", "--json", "-o", "shops.kore"}).json();
  EXPECT_EQ(fit.at("features").at(0).at("levels").size(), 200U);
  const std::string predicted = kore({"predict", "shops.kore", "fresh.csv", "--keep", "y"}).out;
  const auto guess = test::csv_numbers(predicted, "prediction");
  const auto truth = test::csv_numbers(predicted, "y");
  const double mean = std::accumulate(truth.begin(), truth.end(), 0.0) / static_cast<double>(truth.size());
  double missed = 0;
  double all = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    missed += (guess[row] - truth[row]) * (guess[row] - truth[row]);
    all += (truth[row] - mean) * (truth[row] - mean);
  }
  EXPECT_GT(1 - missed / all, 0.98);
}

TEST_F(CategoriesTest, AreSuggestedForNumbersThatLookLikeCodes) {
  std::string rows = "zip,y\n";
  for (int i = 0; i < 900; ++i) {
    const int place = i * 7919 % 60;
    rows += std::to_string(10000 + place * 131) + "," + std::to_string(place * 37 % 60 + i % 5) + "\n";
  }
  folder.write("zips.csv", rows);
  EXPECT_SAYS(
      kore({"fit", "zips.csv", "--target", "y", "--structure", "additive"}).out,
      "look like codes: rows with the same value are alike, and rows with neighbouring values are not. "
      "--categorical zip gives each of them an effect of its own.");
}

TEST_F(CategoriesTest, AreListedWithTheirLevels) {
  EXPECT_SAYS(kore({"info", "rents.kore"}).out, "category  3 levels");
  const json info = kore({"info", "rents.kore", "--json"}).json();
  EXPECT_EQ(info.at("features").at(0).at("levels").size(), 3U);
}

}  // namespace
}  // namespace kore
