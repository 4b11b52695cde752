// The contract of `kore fit --json`.
#include <algorithm>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "kore/kore.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::digits;
using test::made_up_rows;
using test::Rows;

class JsonTest : public test::CommandTest {
 protected:
  void SetUp() override { folder.write("flats.csv", test::flats_csv(600, 1)); }
};

void expect_family(const json& family, bool pairwise) {
  for (const char* key : {"G_star", "fits", "G_eff"}) EXPECT_TRUE(family.at(key).is_number_integer()) << key;
  for (const char* key : {"G_dagger", "A_hat", "tau_hat", "loo"})
    EXPECT_TRUE(family.at(key).is_number_float()) << key;
  EXPECT_TRUE(family.at("skipped").is_boolean());
  ASSERT_TRUE(family.at("pilots").is_array());
  for (const json& pilot : family.at("pilots")) EXPECT_TRUE(pilot.is_number_integer());
  ASSERT_TRUE(family.at("curve").is_array());
  EXPECT_EQ(family.at("curve").size(), family.at("fits").get<std::size_t>());
  for (const json& point : family.at("curve")) {
    EXPECT_TRUE(point.at("G").is_number_integer());
    EXPECT_TRUE(point.at("p").is_number_integer());
    EXPECT_TRUE(point.at("loo").is_number_float());
  }
  EXPECT_EQ(family.contains("pairs"), pairwise);
  if (!pairwise) return;
  for (const json& pair : family.at("pairs")) {
    ASSERT_EQ(pair.size(), 2U);
    EXPECT_TRUE(pair.at(0).is_string() && pair.at(1).is_string());
  }
}

TEST_F(JsonTest, HasEveryKeyOfTheContractWithItsType) {
  const json fit = kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "--json"}).json();
  ASSERT_TRUE(fit.is_object());
  for (const char* key : {"profile", "target", "structure"}) EXPECT_TRUE(fit.at(key).is_string()) << key;
  for (const char* key : {"n", "G", "fits"}) EXPECT_TRUE(fit.at(key).is_number_integer()) << key;
  for (const char* key : {"seconds", "loo", "r2_loo"}) EXPECT_TRUE(fit.at(key).is_number_float()) << key;
  EXPECT_EQ(fit.at("profile"), "default");
  EXPECT_EQ(fit.at("target"), "rent");
  EXPECT_EQ(fit.at("n"), 560) << "every fifteenth row has no target";
  EXPECT_GT(fit.at("seconds"), 0);
  EXPECT_GT(fit.at("r2_loo"), 0.9);
  EXPECT_EQ(fit.at("dropped_rows"), 40);
  EXPECT_EQ(fit.at("notes"), json{"40 rows have no value in the target 'rent' and are left out."});
  EXPECT_EQ(fit.at("verdict").get<std::string>().rfind("suitable", 0), 0U);
  EXPECT_EQ(fit.at("families").size(), 2U);
  expect_family(fit.at("families").at("additive"), false);
  expect_family(fit.at("families").at("pairwise"), true);
  for (const json& effect : fit.at("effects"))
    EXPECT_EQ(effect.at("resolutions").size(), effect.at("features").size());
}

TEST_F(JsonTest, TellsHowTheModelGrew) {
  const json fit = kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "--json"}).json();
  EXPECT_TRUE(fit.at("penalised").is_boolean());
  EXPECT_GT(fit.at("noise"), 0);
  EXPECT_EQ(fit.at("structure_rows"), 560);
  int chosen = 0;
  for (const json& stage : fit.at("stages")) {
    for (const char* key : {"terms", "columns"}) EXPECT_TRUE(stage.at(key).is_number_integer()) << key;
    for (const char* key : {"parameters", "loo", "price"})
      EXPECT_TRUE(stage.at(key).is_number_float()) << key;
    if (!stage.at("chosen").get<bool>()) continue;
    ++chosen;
    for (const char* key : {"structure", "penalised", "columns", "parameters", "loo"})
      EXPECT_EQ(stage.at(key), fit.at(key)) << key;
    EXPECT_EQ(stage.at("terms"), fit.at("effects").size());
  }
  EXPECT_EQ(chosen, 1);
  ASSERT_FALSE(fit.at("screened").empty());
  for (const json& term : fit.at("screened")) {
    EXPECT_TRUE(term.at("gain").is_number_float());
    const bool used =
        std::any_of(fit.at("effects").begin(), fit.at("effects").end(),
                    [&](const json& effect) { return effect.at("features") == term.at("features"); });
    EXPECT_EQ(term.at("kept"), used) << term;
  }
  const json& additive = fit.at("families").at("additive");
  EXPECT_LE(additive.at("G_dagger_interval").at(0), additive.at("G_dagger"));
  EXPECT_GE(additive.at("G_dagger_interval").at(1), additive.at("G_dagger"));
}

TEST_F(JsonTest, OfThePaperProfileIsOfOneOfItsFamilies) {
  const json fit =
      kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "--profile", "paper", "--json"}).json();
  const json& chosen = fit.at("families").at(fit.at("structure").get<std::string>());
  EXPECT_EQ(fit.at("G"), chosen.at("G_star"));
  EXPECT_EQ(fit.at("loo"), chosen.at("loo"));
  EXPECT_EQ(fit.at("fits").get<int>(), fit.at("families").at("additive").at("fits").get<int>() +
                                           fit.at("families").at("pairwise").at("fits").get<int>());
  EXPECT_EQ(fit.at("penalised"), false);
  EXPECT_TRUE(fit.at("noise").is_null());
  EXPECT_TRUE(fit.at("stages").empty());
  EXPECT_FALSE(chosen.contains("G_dagger_interval"));
}

TEST_F(JsonTest, TellsTheColumnsAsTheyStandInTheTable) {
  const json fit = kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "--json"}).json();
  const json expected = {{{"name", "size"}, {"kind", "number"}},
                         {{"name", "rooms"}, {"kind", "number"}},
                         {{"name", "city"}, {"kind", "category"}, {"levels", {"Aachen", "Bonn", "Cologne"}}},
                         {{"name", "built"}, {"kind", "date"}},
                         {{"name", "balcony"}, {"kind", "boolean"}}};
  EXPECT_EQ(fit.at("features"), expected);
}

TEST_F(JsonTest, DiagnosticTellsWhatItFound) {
  const json found = kore({"fit", "flats.csv", "--target", "rent", "--json"}).json().at("diagnostic");
  EXPECT_TRUE(found.at("suitable").is_boolean());
  for (const char* key : {"reason", "recommendation"}) EXPECT_TRUE(found.at(key).is_string()) << key;
  for (const char* key : {"n", "effective_density", "pilot_condition_number", "A_hat", "tau_hat", "G_dagger",
                          "stability_margin"})
    EXPECT_TRUE(found.at(key).is_number()) << key;
  EXPECT_TRUE(found.at("advice").is_array());
}

TEST_F(JsonTest, KeepsEveryDigitOfTheEngine) {
  const Rows rows = made_up_rows(300, 3, 5);
  test::write_rows(folder.path("rows.csv"), rows);
  Options options = Options::paper();
  const Model model = fit(rows.view(), rows.y, options);
  const json told = kore({"fit", "rows.csv", "--target", "y", "--profile", "paper", "--json"}).json();
  EXPECT_EQ(told.at("loo").get<double>(), model.summary.loo);
  EXPECT_EQ(told.at("r2_loo").get<double>(), model.summary.loo_r2());
  for (const auto& [name, selection] :
       {std::pair{"additive", model.summary.additive}, {"pairwise", model.summary.pairwise}}) {
    const json& family = told.at("families").at(name);
    EXPECT_EQ(family.at("A_hat").get<double>(), selection->law.bias_scale);
    EXPECT_EQ(family.at("tau_hat").get<double>(), selection->law.variance_scale);
    EXPECT_EQ(family.at("G_dagger").get<double>(), selection->plug_in);
    for (const json& point : family.at("curve"))
      EXPECT_EQ(point.at("loo").get<double>(), selection->curve.at(point.at("G").get<int>()).loo);
  }
}

TEST_F(JsonTest, IsOneObjectAndNothingElse) {
  const auto outcome = kore({"fit", "flats.csv", "--target", "rent", "--json", "--quiet"});
  EXPECT_EQ(outcome.out.front(), '{');
  EXPECT_EQ(outcome.out.substr(outcome.out.size() - 2), "}\n");
  EXPECT_NO_THROW(outcome.json());
}

TEST_F(JsonTest, StandsBesideASavedModelThatTellsTheSame) {
  const json printed = kore({"fit", "flats.csv", "--target", "rent", "--json", "-o", "flats.kore"}).json();
  EXPECT_EQ(kore({"info", "flats.kore", "--json"}).json(), printed);
}

TEST_F(JsonTest, HasTheExactLooOfFewRowsButNullWhereThePaperHasInfinity) {
  folder.write("few.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n5,6\n6,7\n");
  const json fit = kore({"fit", "few.csv", "--target", "y", "--json"}).json();
  EXPECT_EQ(fit.at("n"), 6);
  EXPECT_TRUE(fit.at("loo").is_number_float()) << "though no resolution is stable with six rows";
  EXPECT_EQ(fit.at("accuracy").at("folds"), 6) << "every row is a fold of its own";
  EXPECT_TRUE(fit.at("families").at("additive").at("loo").is_number_float());
  EXPECT_TRUE(kore({"fit", "few.csv", "-t", "y", "--profile", "paper", "--json"}).json().at("loo").is_null());
}

TEST_F(JsonTest, KeepsNamesThatAreNotAscii) {
  folder.write("names.csv",
               "gr\xC3\xB6\xC3\x9F"
               "e \"x\",pr\xC3\xAFs\n1,2\n2,4\n3,5\n4,9\n5,9\n6,13\n");
  const json fit = run({"fit", "names.csv", "--target", "pr\xC3\xAFs", "--json"}).json();
  EXPECT_EQ(fit.at("target"), "pr\xC3\xAFs");
}

}  // namespace
}  // namespace kore
