// `kore fit` and `kore info`: what they tell a person, and what the options do.
#include <array>
#include <cmath>
#include <set>

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
  /// In one term of the model.
  static std::size_t most_features(const json& fit) {
    std::size_t most = 0;
    for (const json& effect : fit.at("effects")) most = std::max(most, effect.at("features").size());
    return most;
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
  EXPECT_SAYS(text, "560 rows, 5 columns as 6 features");
  EXPECT_SAYS(text, std::to_string(facts.at("columns").get<int>()) + " columns, " +
                        four_digits(facts.at("parameters")) + " effective parameters");
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
    EXPECT_SAYS(text, "solved G† = " + four_digits(family.at("G_dagger")) +
                          " (95 %: " + four_digits(family.at("G_dagger_interval").at(0)) + " to " +
                          four_digits(family.at("G_dagger_interval").at(1)) + ")");
    EXPECT_SAYS(text, "A = " + four_digits(family.at("A_hat")));
    EXPECT_SAYS(text, "τ = " + four_digits(family.at("tau_hat")));
  }
  EXPECT_SAYS(text, std::to_string(facts.at("fits").get<int>()) + " fits; most of it ");
  EXPECT_SAYS(text, "; 3-fold cross-validation of both grids would take 85 fits");
  EXPECT_SAYS(text, "  size ");
  EXPECT_SAYS(text, "Verdict     " + facts.at("verdict").get<std::string>());
  EXPECT_SAYS(text, "noise deviation " + four_digits(std::sqrt(facts.at("noise").get<double>())));
  EXPECT_SAYS(text, " s; ");
  EXPECT_SAYS(text, "Note        40 rows have no value in the target 'rent' and are left out.");
  EXPECT_SAYS(text, "Saved       flats.kore");
}

TEST_F(FitTest, TellsTheStagesItWasChosenFrom) {
  test::write_rows(folder.path("rows.csv"), made_up_rows(500, 3, 21));
  const std::string text = kore({"fit", "rows.csv", "-t", "y", "-o", "rows.kore"}).out;
  const json facts = kore({"info", "rows.kore", "--json"}).json();
  ASSERT_GT(facts.at("stages").size(), 1U);
  EXPECT_SAYS(text, "LOO RMSE  unseen RMSE");
  EXPECT_TRUE(text.starts_with("Accuracy    RMSE ")) << text;
  EXPECT_SAYS(text,
              "on new rows (500 rows: the whole fit was repeated 10 times, each time without a tenth of the "
              "rows, which "
              "it then predicted)");
  EXPECT_SAYS(text, "Given these leave-one-out RMSE ");
  EXPECT_EQ(facts.at("stages").at(0).at("terms"), 0) << "the mean competes too";
  for (const json& stage : facts.at("stages")) {
    EXPECT_SAYS(text, four_digits(stage.at("parameters")) + "  ");
    EXPECT_GE(stage.at("price"), stage.at("structure") == "additive" ? 0 : 1e-9);
    if (stage.at("unseen").is_null()) continue;
    EXPECT_SAYS(text, four_digits(std::sqrt(stage.at("unseen").get<double>())));
  }
  EXPECT_SAYS(
      text,
      "by rows used in no part of the fit: the smallest error, and the constant model where no other is "
      "clearly better");
  std::array<std::uint64_t, 3> terms{};
  for (const json& effect : facts.at("effects")) ++terms.at(effect.at("features").size() - 1);
  ASSERT_GT(terms[1], 0U);
  EXPECT_SAYS(text, "Structure   main effects with " + std::to_string(terms[1]) + " pair");
  EXPECT_EQ(test::contains(text, " triple: ") || test::contains(text, " triples: "), terms[2] > 0) << text;
}

TEST_F(FitTest, KeepsAPairThatWasAskedForAndSaysSo) {
  // Nothing but a sine of one column and noise: no pair is there.
  Rows rows = made_up_rows(300, 3, 23);
  test::Uniform uniform(24);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = std::sin(5 * rows.at(r, 0)) + uniform.between(-1, 1);
  test::write_rows(folder.path("rows.csv"), rows);
  const auto fit = [&](const std::string& format) {
    return kore({"fit", "rows.csv", "-t", "y", "--pairs", "x1:x2", "--structure", "pairwise", format});
  };
  const json facts = fit("--json").json();
  EXPECT_EQ(facts.at("structure"), "pairwise");
  EXPECT_EQ(facts.at("penalised"), true);
  const std::string text = fit("--threads=1").out;
  EXPECT_SAYS(text, "Structure   main effects with 1 pair:");
  EXPECT_SAYS(text, "Smoothness  penalties of every term solved for");
  EXPECT_FALSE(test::contains(text, "all pairs")) << text;
}

TEST_F(FitTest, TellsWhatMoreDataWouldBuyWhereTheLawIsKnown) {
  const std::string text = kore({"fit", "flats.csv", "-t", "rent", "--drop", "id", "-o", "flats.kore"}).out;
  const json facts = kore({"info", "flats.kore", "--json"}).json();
  ASSERT_EQ(facts.at("forecast").size(), 3U);
  EXPECT_LT(facts.at("forecast").at(2).at("excess"), facts.at("forecast").at(1).at("excess"));
  EXPECT_SAYS(text, "More data   twice the rows would leave");
}

TEST_F(FitTest, TellsWhereASampleDecidedOnTheStructure) {
  const std::string query =
      "SELECT hash(i) % 1000 / 1000.0 AS x, hash(i + 100000) % 1000 / 1000.0 AS z, sin(6 * x) * z AS y "
      "FROM range(30000) t(i)";
  EXPECT_SAYS(kore({"fit", query, "-t", "y", "-o", "many.kore"}).out,
              "Choice      by rows that took part in no fit, on a sample of 5,000 rows; fitted to all");
  const json facts = kore({"info", "many.kore", "--json"}).json();
  EXPECT_EQ(facts.at("n"), 30000);
  EXPECT_EQ(facts.at("structure_rows"), 5000);
}

TEST_F(FitTest, PaperProfileIsToldAsPublished) {
  const std::string text = kore({"fit", "flats.csv", "-t", "rent", "--drop", "id", "--profile", "paper"}).out;
  EXPECT_SAYS(text, " at resolution G = ");
  EXPECT_SAYS(text, "Additive    G = ");
  for (const char* word : {"Choice", "Smoothness", "95 %", "More data"})
    EXPECT_FALSE(test::contains(text, word)) << word;
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
  EXPECT_SAYS(text, "6 features (1 more flags rows without 'size'); without 40 rows that had no target");
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
  const json fit = kore({"fit", "FROM 'odd.csv', range(60)", "-t", "y", "--drop", "range", "--profile",
                         "paper", "--pairs", "\"a:b\":\"com,ma\",b:\"a:b\"", "--json"})
                       .json();
  EXPECT_EQ(fit.at("families").at("pairwise").at("pairs"),
            json::parse(R"([["a:b", "com,ma"], ["b", "a:b"]])"));
}

TEST_F(FitTest, SmallTablesAreReadWithinSmallLimits) {
  for (const char* limit : {"32MB", "100MB", "0.05 gb", "64MiB", "64000000"})
    EXPECT_EQ(fit_json({"--memory-limit", limit, "--structure", "additive"}).at("n"), 560) << limit;
}

TEST_F(FitTest, SaysWhereTheMemoryLimitLeftModelsOut) {
  test::write_rows(folder.path("rows.csv"), made_up_rows(3000, 6, 3));
  EXPECT_SAYS(kore({"fit", "rows.csv", "--target", "y", "--memory-limit", "40MB"}).out,
              "Note        The memory limit leaves room for models of 408 columns instead of 2500");
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
  EXPECT_SAYS(
      kore(arguments).out,
      "Column 'city' has 3 levels; the rarest counts as \"(other)\". --max-levels sets how many levels "
      "have an effect of their own.");
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
  const json fit = kore({"fit", "weighted.csv", "--target", "y", "--weights", "w", "--structure", "additive",
                         "--max-g-additive", "1", "--json", "-o", "weighted.kore"})
                       .json();
  EXPECT_EQ(fit.at("weight"), 199);
  EXPECT_EQ(names(fit), (std::vector<std::string>{"x1", "x2"}));
  kore({"fit", "repeated.csv", "--target", "y", "--structure", "additive", "--max-g-additive", "1", "-q",
        "-o", "repeated.kore"});
  const auto by_weight = predicted("weighted.kore", "repeated.csv");
  const auto by_copies = predicted("repeated.kore", "repeated.csv");
  for (std::size_t r = 0; r < by_weight.size(); ++r) EXPECT_NEAR(by_weight[r], by_copies[r], 1e-9);
}

TEST_F(FitTest, PairsAreNamedByColumnsAlsoByCategories) {
  const Arguments paper{"--profile", "paper", "--structure", "pairwise", "--pairs"};
  const auto offered = [&](const std::string& pairs) {
    Arguments arguments = paper;
    arguments.push_back(pairs);
    return fit_json(arguments).at("families").at("pairwise").at("pairs");
  };
  EXPECT_EQ(offered("rooms:city,built:rooms"), json::parse(R"([
      ["rooms", "city=Aachen"], ["rooms", "city=Bonn"], ["rooms", "city=Cologne"], ["built", "rooms"]])"));
  EXPECT_EQ(offered("rooms:city=Bonn"), json::parse(R"([["rooms", "city=Bonn"]])"));
  const json fit = fit_json({"--pairs", "rooms:city,built:rooms"});
  EXPECT_LE(most_features(fit), 2U) << "pairs that are given are all there is";
  std::set<json> screened;
  for (const json& term : fit.at("screened")) screened.insert(term.at("features"));
  EXPECT_EQ(screened, (std::set<json>{{"rooms", "city"}, {"rooms", "built"}}));
}

TEST_F(FitTest, PairsAllAndNoneMeanWhatTheySay) {
  const json none = fit_json({"--pairs", "none"});
  EXPECT_FALSE(none.at("families").contains("pairwise"));
  EXPECT_TRUE(none.at("screened").empty());
  EXPECT_EQ(most_features(none), 1U);
  EXPECT_EQ(fit_json({"--pairs", "all", "--features", "rooms,built,balcony"}).at("screened").size(), 3U);
  const json all = fit_json({"--pairs", "all", "--features", "rooms,built,balcony", "--profile", "paper"});
  EXPECT_EQ(all.at("families").at("pairwise").at("pairs"),
            json::parse(R"([["rooms", "built"], ["rooms", "balcony"], ["built", "balcony"]])"));
}

TEST_F(FitTest, FamilyRestrictsTheCompetition) {
  for (const std::string profile : {"default", "paper"}) {
    const json additive = fit_json({"--structure", "additive", "--profile", profile});
    EXPECT_EQ(additive.at("structure"), "additive");
    EXPECT_EQ(most_features(additive), 1U);
    EXPECT_FALSE(additive.at("families").contains("pairwise"));
  }
  EXPECT_NE(fit_json({"--structure", "pairwise"}).at("structure"), "additive");
  const json pairwise = fit_json({"--structure", "pairwise", "--profile", "paper"});
  EXPECT_EQ(pairwise.at("structure"), "pairwise");
  EXPECT_FALSE(pairwise.at("families").contains("additive"));
}

TEST_F(FitTest, MaxOrderLimitsInteractions) {
  for (const std::size_t order : {1U, 2U, 3U})
    EXPECT_LE(most_features(fit_json({"--max-order", std::to_string(order)})), order);
  EXPECT_EQ(fit_json({"--max-order", "3"}).at("stages"), fit_json({}).at("stages"));
  const auto outcome =
      run({"fit", "flats.csv", "--target", "rent", "--profile", "paper", "--max-order", "2"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "--max-order belongs to the default profile");
}

TEST_F(FitTest, DegreeSetsTheSizeOfTheBasis) {
  for (const int degree : {1, 2, 5}) {
    const json fit = fit_json({"--profile", "paper", "--features", "size,rooms", "--structure", "additive",
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
  for (const json& effect : fit.at("effects"))
    for (const json& resolution : effect.at("resolutions"))
      EXPECT_LE(resolution, effect.at("features").size() == 1 ? 4 : 2) << effect;
  EXPECT_EQ(fit_json({}).at("families").at("additive").at("G_eff"), 64) << "the default profile's own";
  EXPECT_EQ(fit_json({"--profile", "paper"}).at("families").at("additive").at("G_eff"), 20);
}

/// Seconds of the phases with this name, wherever they are.
double seconds_in(const json& phases, const std::string& name) {
  double seconds = 0;
  for (const json& phase : phases)
    seconds += (phase.at("name") == name ? phase.at("seconds").get<double>() : 0) +
               seconds_in(phase.at("parts"), name);
  return seconds;
}

TEST_F(FitTest, TellsWhatItsTimeWasSpentOn) {
  const std::string shown = kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "--threads", "1",
                                  "--profile-time", "-o", "flats.kore"})
                                .out;
  const json facts = kore({"info", "flats.kore", "--json"}).json();
  double all = 0;
  for (const json& phase : facts.at("phases")) {
    all += phase.at("seconds").get<double>();
    EXPECT_SAYS(shown, "\n  " + phase.at("name").get<std::string>() + " ");
    double parts = 0;
    for (const json& part : phase.at("parts")) parts += part.at("seconds").get<double>();
    EXPECT_LE(parts, phase.at("seconds").get<double>()) << phase << ": one thread has one phase at a time";
  }
  EXPECT_LE(all, facts.at("seconds").get<double>());
  for (const char* name : {"reading", "encoding", "survey", "coordinates", "pilots", "main effects", "sums",
                           "weights", "leave-one-out", "referee", "effects and bands"})
    EXPECT_GT(seconds_in(facts.at("phases"), name), 0) << name;
  EXPECT_SAYS(shown, "; most of it ");
  EXPECT_SAYS(shown, "\n  everything else ");
  const std::string later = kore({"info", "flats.kore", "--profile-time"}).out;
  EXPECT_SAYS(later, "\n  everything else ");
  EXPECT_EQ(kore({"info", "flats.kore"}).out.find("everything else"), std::string::npos);
}

TEST_F(FitTest, ModelIsTheSameOnAnyNumberOfThreads) {
  std::vector<std::vector<std::byte>> models;
  for (const char* threads : {"1", "2", "4"}) {
    kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "--threads", threads, "-o",
          "flats.kore"});
    table::TableModel model = table::load_table_model(folder.path("flats.kore"));
    model.facts.seconds = 0;
    model.facts.phases = {};
    table::save(model, folder.path("timeless.kore"));
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
