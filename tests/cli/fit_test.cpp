// `kore fit` and `kore info`: what they tell a person, and what the options do.
#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "kore/table_model.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::made_up_rows;
using test::Rows;

class FitTest : public test::CommandTest {
 protected:
  void SetUp() override { folder.write("flats.csv", test::flats_csv(600, 1)); }

  json fit_json(const Arguments& more) const {
    Arguments arguments{"fit", "flats.csv", "--target", "rent", "--drop", "id", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kore(arguments).json();
  }
  static std::vector<std::string> names(const json& fit) {
    std::vector<std::string> all;
    for (const json& feature : fit.at("features")) all.push_back(feature.at("name"));
    return all;
  }
  std::vector<double> predicted(const std::string& model, const std::string& data) const {
    return test::csv_numbers(kore({"predict", model, data}).out, "prediction");
  }
};

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

TEST_F(FitTest, SummaryNamesTheFactsThatTheJsonHas) {
  const Arguments arguments{"fit", "flats.csv", "-t", "rent", "--drop", "id", "-o", "flats.kore"};
  const std::string text = kore(arguments).out;
  const json facts = kore({"info", "flats.kore", "--json"}).json();
  EXPECT_SAYS(text, "'rent' from the file 'flats.csv', default profile");
  EXPECT_SAYS(text, "560 rows, 5 columns as 8 features");
  EXPECT_SAYS(text, facts.at("structure").get<std::string>() +
                        " at resolution G = " + std::to_string(facts.at("G").get<int>()));
  EXPECT_SAYS(text, "leave-one-out RMSE " + four_digits(std::sqrt(facts.at("loo").get<double>())));
  char r2[32];
  std::snprintf(r2, sizeof r2, "R² %.3f", facts.at("r2_loo").get<double>());
  EXPECT_SAYS(text, r2);
  for (const auto& [name, family] : facts.at("families").items()) {
    EXPECT_SAYS(text, "LOO RMSE " + four_digits(std::sqrt(family.at("loo").get<double>()))) << name;
    std::string pilots;
    for (const json& pilot : family.at("pilots"))
      pilots += (pilots.empty() ? "" : ", ") + std::to_string(pilot.get<int>());
    EXPECT_SAYS(text, "pilots G = " + pilots) << name;
    if (family.at("A_hat") <= 0 || family.at("tau_hat") <= 0) continue;
    EXPECT_SAYS(text, "solved G† = " + four_digits(family.at("G_dagger")));
    EXPECT_SAYS(text, "A = " + four_digits(family.at("A_hat")));
    EXPECT_SAYS(text, "τ = " + four_digits(family.at("tau_hat")));
  }
  EXPECT_SAYS(text, std::to_string(facts.at("fits").get<int>()) + " fits; 3-fold cross-validation");
  EXPECT_SAYS(text, "would take 85 fits");
  EXPECT_SAYS(text, "  size ");
  EXPECT_SAYS(text, facts.at("diagnostic").at("recommendation").get<std::string>());
  EXPECT_SAYS(text, " s; ");
  EXPECT_SAYS(text, "Note        40 rows have no value in the target 'rent' and are left out.");
  EXPECT_SAYS(text, "Saved       flats.kore");
}

TEST_F(FitTest, QuietPrintsNothingAndStillSaves) {
  EXPECT_EQ(kore({"fit", "flats.csv", "--target", "rent", "--quiet", "-o", "flats.kore"}).out, "");
  EXPECT_SAYS(kore({"info", "flats.kore"}).out, "'rent' from the file 'flats.csv'");
}

TEST_F(FitTest, InfoTellsEveryColumn) {
  kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  const std::string text = kore({"info", "flats.kore"}).out;
  EXPECT_SAYS(text, "city     category  3 levels");
  EXPECT_SAYS(text, "rooms    number    1 to 5");
  EXPECT_SAYS(text, "built    date      1950-");
  EXPECT_SAYS(text, "balcony  boolean   false to true");
  EXPECT_SAYS(text, "8 features; without 40 rows that had no target");
  EXPECT_SAYS(text, "Note        40 rows have no value in the target 'rent' and are left out.");
}

TEST_F(FitTest, FeaturesAndDropChooseColumnsInTheOrderOfTheTable) {
  EXPECT_EQ(names(fit_json({"--features", "rooms,size"})), (std::vector<std::string>{"size", "rooms"}));
  EXPECT_EQ(names(fit_json({"--drop", "city,built"})),
            (std::vector<std::string>{"size", "rooms", "balcony"}));
}

TEST_F(FitTest, ListsTakeOneArgumentAndNamesWithCommasInQuotes) {
  folder.write(
      "odd.csv",
      "\"com,ma\",b,\"a:b\",\"q\"\"uote\",y\n1,2,3,4,5\n2,5,1,3,4\n3,3,2,2,2\n4,1,4,1,6\n5,4,5,5,1\n");
  const auto used = [&](const Arguments& more) {
    Arguments arguments{"fit", "--json", "-t", "y"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return names(kore(arguments).json());
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(used({"--drop", "b", "odd.csv"}), (Names{"com,ma", "a:b", "q\"uote"})) << "DATA follows a list";
  EXPECT_EQ(used({"odd.csv", "--drop", "com,ma"}), (Names{"b", "a:b", "q\"uote"})) << "a column as a whole";
  EXPECT_EQ(used({"odd.csv", "--features", "\"com,ma\",b"}), (Names{"com,ma", "b"}));
  EXPECT_EQ(used({"odd.csv", "--features", "b", "--features", "\"q\"\"uote\""}), (Names{"b", "q\"uote"}));
  const json fit = kore({"fit", "FROM 'odd.csv', range(60)", "-t", "y", "--drop", "range", "--pairs",
                         "\"a:b\":\"com,ma\",b:\"a:b\"", "--json"})
                       .json();
  EXPECT_EQ(fit.at("families").at("pairwise").at("pairs"),
            json::parse(R"([["a:b", "com,ma"], ["b", "a:b"]])"));
}

TEST_F(FitTest, SmallTablesAreReadWithinSmallLimits) {
  for (const char* limit : {"32MB", "100MB"})
    EXPECT_EQ(fit_json({"--memory-limit", limit, "--family", "additive"}).at("n"), 560) << limit;
}

TEST_F(FitTest, SaysWhereTheMemoryLimitLeftModelsOut) {
  test::write_rows(folder.path("rows.csv"), made_up_rows(3000, 6, 3));
  EXPECT_SAYS(kore({"fit", "rows.csv", "--target", "y", "--memory-limit", "40MB"}).out,
              "Note        The memory limit leaves room for models of 408 columns instead of 4000");
  EXPECT_FALSE(test::contains(
      kore({"fit", "rows.csv", "--target", "y", "--pairs", "none", "--memory-limit", "40MB"}).out,
      "memory limit"));
}

TEST_F(FitTest, CategoricalTurnsNumbersIntoLevels) {
  const json rooms = fit_json({"--categorical", "rooms"}).at("features").at(1);
  EXPECT_EQ(rooms, (json{{"name", "rooms"}, {"kind", "category"}, {"levels", {"1", "2", "3", "4", "5"}}}));
}

TEST_F(FitTest, MaxLevelsGroupsTheRestAndSaysSo) {
  const Arguments arguments{"fit", "flats.csv", "--target", "rent", "--max-levels", "2"};
  EXPECT_SAYS(kore(arguments).out, "Column 'city' has 3 levels; the 1 rarest are grouped as \"(other)\".");
  EXPECT_EQ(fit_json({"--max-levels", "2"}).at("features").at(2).at("levels").size(), 2U);
}

TEST_F(FitTest, WeightsCountRows) {
  const Rows rows = made_up_rows(200, 2, 3);
  std::string weighted = "x1,x2,y,w\n";
  std::string repeated = "x1,x2,y\n";
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::string line =
        test::digits(rows.at(r, 0)) + "," + test::digits(rows.at(r, 1)) + "," + test::digits(rows.y[r]);
    weighted += line + "," + std::to_string(r % 3) + "\n";
    for (std::size_t copy = 0; copy < r % 3; ++copy) repeated += line + "\n";
  }
  folder.write("weighted.csv", weighted);
  folder.write("repeated.csv", repeated);
  const json fit = kore({"fit", "weighted.csv", "--target", "y", "--weights", "w", "--family", "additive",
                         "--max-g-additive", "1", "--json", "-o", "weighted.kore"})
                       .json();
  EXPECT_EQ(fit.at("weight"), 199);
  EXPECT_EQ(names(fit), (std::vector<std::string>{"x1", "x2"}));
  kore({"fit", "repeated.csv", "--target", "y", "--family", "additive", "--max-g-additive", "1", "-q", "-o",
        "repeated.kore"});
  const auto by_weight = predicted("weighted.kore", "repeated.csv");
  const auto by_copies = predicted("repeated.kore", "repeated.csv");
  for (std::size_t r = 0; r < by_weight.size(); ++r) EXPECT_NEAR(by_weight[r], by_copies[r], 1e-9);
}

TEST_F(FitTest, PairsAreNamedByColumnsAlsoByCategories) {
  const json fit = fit_json({"--pairs", "rooms:city,built:rooms", "--family", "pairwise"});
  EXPECT_EQ(fit.at("structure"), "pairwise");
  EXPECT_EQ(fit.at("families").at("pairwise").at("pairs"), json::parse(R"([
      ["rooms", "city=Aachen"], ["rooms", "city=Bonn"], ["rooms", "city=Cologne"], ["built", "rooms"]])"));
  EXPECT_EQ(fit_json({"--pairs", "rooms:city=Bonn"}).at("families").at("pairwise").at("pairs"),
            json::parse(R"([["rooms", "city=Bonn"]])"));
}

TEST_F(FitTest, PairsAllAndNoneMeanWhatTheySay) {
  EXPECT_FALSE(fit_json({"--pairs", "none"}).at("families").contains("pairwise"));
  const json all = fit_json({"--pairs", "all", "--features", "rooms,built,balcony"});
  EXPECT_EQ(all.at("families").at("pairwise").at("pairs"),
            json::parse(R"([["rooms", "built"], ["rooms", "balcony"], ["built", "balcony"]])"));
}

TEST_F(FitTest, FamilyRestrictsTheCompetition) {
  const json additive = fit_json({"--family", "additive"});
  EXPECT_EQ(additive.at("structure"), "additive");
  EXPECT_FALSE(additive.at("families").contains("pairwise"));
  const json pairwise = fit_json({"--family", "pairwise"});
  EXPECT_EQ(pairwise.at("structure"), "pairwise");
  EXPECT_FALSE(pairwise.at("families").contains("additive"));
}

TEST_F(FitTest, DegreeSetsTheSizeOfTheBasis) {
  for (const int degree : {1, 2, 5}) {
    const json fit = fit_json({"--profile", "paper", "--features", "size,rooms", "--family", "additive",
                               "--degree", std::to_string(degree)});
    for (const json& point : fit.at("families").at("additive").at("curve"))
      EXPECT_EQ(point.at("p").get<int>(), 2 * (point.at("G").get<int>() + degree) - 1);
  }
}

TEST_F(FitTest, LargestResolutionsAreRespected) {
  const json fit = fit_json({"--max-g-additive", "4", "--max-g-pairwise", "2"});
  for (const json& point : fit.at("families").at("additive").at("curve")) EXPECT_LE(point.at("G"), 4);
  for (const json& point : fit.at("families").at("pairwise").at("curve")) EXPECT_LE(point.at("G"), 2);
  EXPECT_EQ(fit.at("families").at("additive").at("G_eff"), 4);
}

TEST_F(FitTest, ModelIsTheSameOnAnyNumberOfThreads) {
  std::vector<std::vector<std::byte>> models;
  for (const char* threads : {"1", "2", "4"}) {
    kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "--threads", threads, "-o",
          "flats.kore"});
    data::TableModel model = data::load_table_model(folder.path("flats.kore"));
    model.facts.seconds = 0;
    data::save(model, folder.path("timeless.kore"));
    const std::string bytes = folder.read("timeless.kore");
    models.emplace_back();
    for (const char c : bytes) models.back().push_back(static_cast<std::byte>(c));
  }
  EXPECT_GT(models[0].size(), 1000U);
  EXPECT_EQ(models[0], models[1]);
  EXPECT_EQ(models[0], models[2]);
}

TEST_F(FitTest, SavingReplacesAnOlderFileAndLeavesNothingElse) {
  folder.write("flats.kore", "KORE, something old");
  kore({"fit", "flats.csv", "--target", "rent", "-q", "-o", "flats.kore"});
  EXPECT_EQ(folder.read("flats.kore").substr(0, 1), "K");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"flats.csv", "flats.kore"}));
}

}  // namespace
}  // namespace kore
