// A target of three classes or more through the command: `fit`, `predict`, `info`, and `--class`.
#include <fmt/format.h>

#include "cli/run_command.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using nlohmann::json;

/// The kind of a flower by two sizes; `code` is the same as numbers, 10 among them.
std::string flowers(std::size_t count) {
  const test::Rows rows = test::made_up_rows(count, 2, 41);
  std::string text = "length,width,kind,code\n";
  for (std::size_t r = 0; r < count; ++r) {
    const double x = rows.at(r, 0) + 0.2 * rows.at(r, 1);
    const int kind = r % 11 == 0 ? static_cast<int>(r % 3) : x < 0.4 ? 0 : x < 0.8 ? 1 : 2;
    const char* names[]{"it's red", "blue", "yellow, pale"};
    const int codes[]{2, 10, 9};
    text += fmt::format("{},{},\"{}\",{}\n", rows.at(r, 0), rows.at(r, 1), names[kind], codes[kind]);
  }
  return text;
}

class ClassesTest : public test::CommandTest {
 protected:
  void SetUp() override { folder.write("f.csv", flowers(400)); }
  std::string refused(const std::vector<std::string>& arguments) const {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << shown(arguments);
    return outcome.err;
  }
  void save() const { kore({"fit", "f.csv", "-t", "kind", "--drop", "code", "-o", "f.kore", "-q"}); }
};

TEST_F(ClassesTest, ATextOfSeveralValuesIsFittedAsClasses) {
  const json found = kore({"fit", "f.csv", "-t", "kind", "--drop", "code", "--json"}).json();
  EXPECT_EQ(found.at("family"), "multinomial");
  EXPECT_EQ(found.at("classes"), (json{"blue", "it's red", "yellow, pale"}));
  EXPECT_EQ(found.at("models").size(), 3U);
  EXPECT_LT(found.at("accuracy").at("error_rate").get<double>(), 0.2);
  EXPECT_GT(found.at("accuracy").at("explained").get<double>(), 0.5);
  EXPECT_GT(found.at("models")[0].at("accuracy").at("family").at("auc").get<double>(), 0.9);
  const std::string text = kore({"fit", "f.csv", "-t", "kind", "--drop", "code"}).out;
  EXPECT_SAYS(text, "of new rows get their class");
  EXPECT_SAYS(text, "its family is multinomial");
}

TEST_F(ClassesTest, PredictionsAreTheClassAndTheProbabilityOfEach) {
  save();
  const std::string text = kore({"predict", "f.kore", "f.csv", "--keep", "kind", "--outside"}).out;
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "class,probability:blue,probability:it's red,\"probability:yellow, pale\",outside,kind");
  const auto blue = test::csv_numbers(text, "probability:blue");
  const auto red = test::csv_numbers(text, "probability:it's red");
  ASSERT_EQ(blue.size(), 400U);
  for (std::size_t r = 0; r < blue.size(); ++r) EXPECT_LE(blue[r] + red[r], 1 + 1e-12);
  kore({"predict", "f.kore", "f.csv", "--keep", "kind", "-o", "p.parquet"});
  const json counts =
      kore({"fit",
            "SELECT (class = kind)::INT AS hit, length FROM (FROM 'p.parquet' POSITIONAL JOIN (SELECT length "
            "FROM 'f.csv'))",
            "-t", "hit", "--json"})
          .json();
  EXPECT_EQ(counts.at("n"), 400);
  EXPECT_SAYS(refused({"predict", "f.kore", "f.csv", "--interval", "0.9"}), "probability of each");
}

TEST_F(ClassesTest, NumbersAreClassesWhereTheFamilySaysSo) {
  const json found =
      kore({"fit", "f.csv", "-t", "code", "--drop", "kind", "--family", "multinomial", "--json"}).json();
  EXPECT_EQ(found.at("classes"), (json{"2", "9", "10"})) << "in the order of numbers";
  const json plain = kore({"fit", "f.csv", "-t", "code", "--drop", "kind", "--json"}).json();
  EXPECT_EQ(plain.at("family"), "normal");
}

TEST_F(ClassesTest, OneClassIsLookedAtAsYesAndNo) {
  save();
  EXPECT_SAYS(kore({"info", "f.kore"}).out, "3 classes");
  EXPECT_EQ(kore({"info", "f.kore", "--json"}).json().at("family"), "multinomial");
  EXPECT_SAYS(kore({"info", "f.kore", "--class", "blue"}).out, "probabilities of blue");
  EXPECT_SAYS(kore({"effects", "f.kore", "--class", "blue"}).out, "length");
  EXPECT_SAYS(kore({"export", "f.kore", "--class", "it's red", "--to", "sql"}).out, "SELECT");
  kore({"report", "f.kore", "f.csv", "--class", "yellow, pale", "-o", "r.html", "-q"});
  EXPECT_SAYS(folder.read("r.html"), "yellow, pale");
  EXPECT_SAYS(kore({"explain", "f.kore", "f.csv", "--class", "blue"}).out, "effect of length");
  EXPECT_SAYS(refused({"explain", "f.kore", "f.csv"}), "--class");
  EXPECT_SAYS(refused({"effects", "f.kore"}), "--class");
  EXPECT_SAYS(refused({"effects", "f.kore", "--class", "green"}), "blue, it's red, yellow, pale");
  kore({"fit", "f.csv", "-t", "length", "--features", "width", "-o", "one.kore", "-q"});
  EXPECT_SAYS(refused({"effects", "one.kore", "--class", "blue"}), "is not one");
}

TEST_F(ClassesTest, AModelOfClassesMayBeReplaced) {
  save();
  save();
  kore({"fit", "f.csv", "-t", "length", "--features", "width", "-o", "f.kore", "-q"});
  EXPECT_EQ(kore({"info", "f.kore", "--json"}).json().at("family"), "normal");
}

TEST_F(ClassesTest, WhatCannotBeIsSaid) {
  EXPECT_SAYS(refused({"fit", "f.csv", "-t", "kind", "--family", "binomial"}), "--positive");
  EXPECT_SAYS(refused({"fit", "f.csv", "-t", "kind", "--family", "poisson"}), "needs numbers");
  EXPECT_SAYS(refused({"fit", "f.csv", "-t", "kind", "--profile", "paper"}), "default profile");
  EXPECT_SAYS(refused({"fit", "f.csv", "-t", "kind", "--report", "r.html"}), "--class");
  EXPECT_SAYS(refused({"diagnose", "f.csv", "-t", "kind"}), "--positive");
  EXPECT_SAYS(refused({"compare", "f.csv", "-t", "kind"}), "needs numbers");
  EXPECT_SAYS(refused({"fit", "f.csv", "-t", "length", "--family", "multinomial"}), "more than 100 values");
  EXPECT_FALSE(folder.has("r.html"));
}

TEST_F(ClassesTest, ANumberWithAFewTextsIsNotMeantAsClasses) {
  folder.write("odd.csv", "x,y\n1,2.5\n2,3.5\n3,oops\n4,4.5\n5,1.5\n6,2\n");
  EXPECT_SAYS(refused({"fit", "odd.csv", "-t", "y"}), "oops");
}

TEST_F(ClassesTest, AClassOfOneRowHasItsModelToo) {
  std::string text = flowers(60);
  text += "0.5,0.5,rare,4\n";
  folder.write("rare.csv", text);
  const json found = kore({"fit", "rare.csv", "-t", "kind", "--drop", "code", "--json"}).json();
  EXPECT_EQ(found.at("classes").size(), 4U);
}

}  // namespace
}  // namespace kore
