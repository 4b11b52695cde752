// `kore diagnose`: whether a table suits KORE, in words and as JSON.
#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "support/fixture.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::Fixture;
using test::made_up_rows;
using test::Rows;

class DiagnoseTest : public test::CommandTest {};

TEST_F(DiagnoseTest, FavoursKoreWhereThereIsASmoothSignal) {
  test::write_rows(folder.path("rows.csv"), made_up_rows(500, 3, 21));
  const std::string text = kore({"diagnose", "rows.csv", "--target", "y"}).out;
  EXPECT_SAYS(text, "Verdict: suitable: rows that were left out are predicted with R² 0.9");
  EXPECT_SAYS(text, "by more than chance can explain; pairs");
  EXPECT_SAYS(text, "of features act together.");
  EXPECT_SAYS(text, "signal score");
  EXPECT_SAYS(text, "minimum bracketed");
}

TEST_F(DiagnoseTest, FindsNothingInPureNoise) {
  test::Uniform uniform(4);
  Rows rows{300, 3, {}, {}, {}};
  for (int i = 0; i < 900; ++i) rows.x.push_back(uniform());
  for (int i = 0; i < 300; ++i) rows.y.push_back(uniform());
  test::write_rows(folder.path("noise.csv"), rows);
  const json found = kore({"diagnose", "noise.csv", "--target", "y", "--json"}).json();
  EXPECT_EQ(found.at("use_kore"), false);
  EXPECT_LT(found.at("signal_score"), 1);
  EXPECT_EQ(found.at("suitable"), false);
  EXPECT_EQ(found.at("pilots_suitable"), true) << "the paper's check of the pilots does not see it";
  for (const std::string command : {"diagnose", "fit"}) {
    const std::string text = kore({command, "noise.csv", "--target", "y"}).out;
    EXPECT_TRUE(test::contains(
                    text, "not usable: rows that were left out are predicted no better than by the mean") ||
                test::contains(text, "but chance can explain that"))
        << text;
    EXPECT_FALSE(test::contains(text, "suitable")) << text;
    EXPECT_FALSE(test::contains(text, "act together")) << text;
    const std::string published = kore({command, "noise.csv", "--target", "y", "--profile", "paper"}).out;
    EXPECT_SAYS(published, "not usable: rows that were left out are predicted no better than by the mean");
    EXPECT_FALSE(test::contains(published, "suitable")) << published;
  }
  EXPECT_SAYS(kore({"diagnose", "noise.csv", "--target", "y", "--profile", "paper"}).out,
              "Neither splines nor straight lines");
}

TEST_F(DiagnoseTest, SaysWhereTheRowsAreTooFewToTell) {
  folder.write("three.csv", "a,b,y\n1,2,3\n2,3,5\n3,1,4\n");
  for (const std::string profile : {"default", "paper"})
    for (const std::string command : {"fit", "diagnose"}) {
      const std::string text = kore({command, "three.csv", "--target", "y", "--profile", profile}).out;
      EXPECT_SAYS(text, "not usable: there are about as many parameters as rows");
      for (const char* word : {"inf", "suitable", "exact"}) EXPECT_FALSE(test::contains(text, word)) << text;
    }
}

/// One number from one place, also where the structure is found on a sample of the rows.
TEST_F(DiagnoseTest, TellsOfTheFitWhatTheFitTells) {
  test::write_rows(folder.path("few.csv"), made_up_rows(300, 3, 21));
  test::write_rows(folder.path("many.parquet"), made_up_rows(6000, 3, 22));
  for (const std::string file : {"few.csv", "many.parquet"})
    for (const std::string profile : {"default", "paper"}) {
      const json found = kore({"diagnose", file, "--target", "y", "--profile", profile, "--json"}).json();
      kore({"fit", file, "--target", "y", "--profile", profile, "-q", "-o", "model.kore"});
      const json model = kore({"info", "model.kore", "--json"}).json();
      for (const char* key : {"signal_score", "r2_loo", "structure"})
        EXPECT_EQ(found.at(key), model.at(key)) << file << " " << profile << " " << key;
    }
}

TEST_F(DiagnoseTest, DoesNotContradictItselfOnAFewRows) {
  folder.write("few.csv",
               "a,b,y\n0.13,0.85,0.85\n0.76,0.26,0.82\n0.5,0.45,0.7\n0.65,0.79,1.27\n0.09,0.03,0.1\n");
  const json found = kore({"diagnose", "few.csv", "--target", "y", "--json"}).json();
  const json model = kore({"fit", "few.csv", "--target", "y", "--json"}).json();
  bool lines = false;
  for (const json& stage : model.at("stages")) lines = lines || (stage.at("lines") && stage.at("chosen"));
  ASSERT_TRUE(lines) << "straight lines are the model";
  EXPECT_LE(found.at("lift_over_linear").get<double>(), 0) << "so that it gains nothing over them";
  const std::string text = kore({"diagnose", "few.csv", "--target", "y"}).out;
  EXPECT_SAYS(text, "chance can explain that");
  for (const char* word : {"GCV", "cross-validate", "pilots", "undefined"})
    EXPECT_FALSE(test::contains(text, word)) << "how pilots without penalty lie is no concern here: " << text;
}

TEST_F(DiagnoseTest, GivesThePlaybooksAdviceWhereFeaturesAreTooMany) {
  test::write_rows(folder.path("wide.csv"), made_up_rows(300, 35, 6));
  const json found = kore({"diagnose", "wide.csv", "--target", "y", "--pairs", "none", "--json"}).json();
  EXPECT_EQ(found.at("pilots_suitable"), false);
  EXPECT_EQ(found.at("suitable"), found.at("verdict").get<std::string>().starts_with("suitable"));
  EXPECT_EQ(found.at("d_onehot"), 35);
  ASSERT_FALSE(found.at("advice").empty());
  const std::string text = kore({"diagnose", "wide.csv", "--target", "y", "--pairs", "none"}).out;
  for (const json& sentence : found.at("advice")) EXPECT_SAYS(text, "- " + sentence.get<std::string>());
}

TEST_F(DiagnoseTest, AgreesWithThePublishedDiagnostic) {
  for (const std::string name : {"additive_small", "pairwise_d4", "additive_noisy"}) {
    SCOPED_TRACE(name);
    const Fixture fixture(name);
    Rows rows{fixture.rows, fixture.columns, {}, fixture.y, {}};
    for (std::size_t j = 0; j < rows.columns; ++j)
      for (std::size_t r = 0; r < rows.count; ++r) rows.x.push_back(fixture.train()(r, j));
    test::write_rows(folder.path("fixture.parquet"), rows);
    const json ours = kore({"diagnose", "fixture.parquet", "--target", "y", "--profile", "paper", "--degree",
                            std::to_string(fixture.degree), "--json"})
                          .json();
    const json& published = fixture.json["diagnostic"];
    for (const char* key : {"suitable", "recommendation", "n", "d_onehot"})
      EXPECT_EQ(ours.at(key), published[key]) << key;
    for (const char* key : {"effective_density", "pilot_condition_number", "G_dagger"})
      EXPECT_NEAR(ours.at(key).get<double>() / test::number(published[key]), 1, 1e-5) << key;
    EXPECT_NEAR(ours.at("stability_margin"), published["stability_margin"].get<double>(), 1e-9);
    EXPECT_NEAR(ours.at("additive_signal_score").get<double>() / fixture.json["signal_score"].get<double>(),
                1, 1e-6);
  }
}

TEST_F(DiagnoseTest, TellsHowTheTableWasRead) {
  folder.write("flats.csv", test::flats_csv(120, 1));
  const std::string note = "8 rows have no value in the target 'rent' and are left out.";
  const Arguments table{"flats.csv", "--target", "rent", "--drop", "id", "--pairs", "none"};
  for (const std::string command : {"diagnose", "compare"}) {
    Arguments arguments{command};
    arguments.insert(arguments.end(), table.begin(), table.end());
    EXPECT_SAYS(kore(arguments).out, "Note: " + note);
  }
  const json found = kore({"diagnose", "flats.csv", "--target", "rent", "--drop", "id", "--json"}).json();
  EXPECT_EQ(found.at("notes"), json{note});
  EXPECT_EQ(found.at("dropped_rows"), 8);
}

TEST_F(DiagnoseTest, QuietSaysNothing) {
  test::write_rows(folder.path("rows.csv"), made_up_rows(200, 2, 21));
  EXPECT_EQ(kore({"diagnose", "rows.csv", "--target", "y", "-q"}).out, "");
}

}  // namespace
}  // namespace kore
