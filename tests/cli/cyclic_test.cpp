// Choices for single columns: values that begin again, and how fine curves may be.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::digits;

class CyclicTest : public test::CommandTest {
 protected:
  void SetUp() override {
    const test::Rows rows = test::made_up_rows(400, 3, 41);
    std::string text = "hour,wind:from,kind,y\n";
    for (std::size_t r = 0; r < rows.count; ++r) {
      const double hour = std::floor(24 * rows.at(r, 0));
      const double wind = 360 * rows.at(r, 1);
      text += digits(hour) + "," + digits(wind) + "," + (r % 2 == 0 ? "a" : "b") + "," +
              digits(std::sin(hour / 24 * 2 * std::numbers::pi) + std::cos(wind / 180 * std::numbers::pi) +
                     0.1 * rows.at(r, 2)) +
              "\n";
    }
    folder.write("rows.csv", text);
  }
  json fit(test::CommandTest::Arguments more) {
    Arguments all{"fit", "rows.csv", "-t", "y", "--structure", "additive", "--json", "-o", "m.kore"};
    all.insert(all.end(), more.begin(), more.end());
    return kore(all).json();
  }
  json curve(const std::string& name) {
    const json effects = kore({"effects", "m.kore", "--format", "json"}).json();
    for (const json& term : effects.at("terms"))
      if (term.at("features").at(0) == name) return term;
    return {};
  }
};

TEST_F(CyclicTest, CurvesMeetThemselvesWhereTheirPeriodEnds) {
  const json fitted = fit({"--cyclic", "hour,\"wind:from\":360"});
  EXPECT_NE(fitted.at("notes").dump().find("'hour' begins again after 24"), std::string::npos);
  for (const auto& [name, period] : {std::pair{"hour", 24.0}, std::pair{"wind:from", 360.0}}) {
    const json term = curve(name);
    const std::vector<double> points = term.at("points").at(0);
    const std::vector<double> effect = term.at("effect");
    EXPECT_NEAR(points.back() - points.front(), period, 1e-9);
    EXPECT_NEAR(effect.front(), effect.back(), 1e-10) << name;
    EXPECT_GT(std::ranges::max(effect) - std::ranges::min(effect), 1) << "but it is not level";
  }
  const json open = fit({});
  EXPECT_GT(std::abs(curve("hour").at("effect").front().get<double>() -
                     curve("hour").at("effect").back().get<double>()),
            1e-6);
}

TEST_F(CyclicTest, AColumnWithAColonIsNamedAsItIs) {
  fit({"--cyclic", "hour", "--max-resolution", "wind:from:5,hour:4"});
  const json info = kore({"info", "m.kore", "--json"}).json();
  for (const json& effect : info.at("effects")) {
    if (effect.at("features").at(0) == "hour") {
      EXPECT_LE(effect.at("resolutions").at(0).get<int>(), 4);
    }
    if (effect.at("features").at(0) == "wind:from") {
      EXPECT_LE(effect.at("resolutions").at(0).get<int>(), 5);
    }
  }
}

TEST_F(CyclicTest, ThePeriodIsToldByWholeNumbersFromZeroOrOne) {
  const auto period_of = [&](const std::string& expression) -> double {
    const json info = kore({"fit", "SELECT " + expression + " AS c, y FROM 'rows.csv'", "-t", "y",
                            "--structure", "additive", "--cyclic", "c", "--json", "--referee-folds", "1"})
                          .json();
    return info.at("features").at(0).at("period");
  };
  EXPECT_EQ(period_of("hour"), 24);
  EXPECT_EQ(period_of("1 + hour % 12"), 12);
  EXPECT_EQ(period_of("hour % 7"), 7);
  for (const std::string expression :
       {"hour + 2", "hour - 1", "hour + CASE WHEN hour = 7 THEN 0.5 ELSE 0 END"}) {
    const auto outcome =
        run({"fit", "SELECT " + expression + " AS c, y FROM 'rows.csv'", "-t", "y", "-q", "--cyclic", "c"});
    EXPECT_EQ(outcome.status, 2) << expression;
    EXPECT_SAYS(outcome.err, "do not tell after how much they begin again");
  }
}

TEST_F(CyclicTest, InfoNamesThePeriod) {
  fit({"--cyclic", "hour,\"wind:from\":360"});
  EXPECT_SAYS(kore({"info", "m.kore"}).out, "0 to 24, begins again after 24");
  const json info = kore({"info", "m.kore", "--json"}).json();
  for (const json& feature : info.at("features")) {
    const std::string name = feature.at("name");
    EXPECT_EQ(feature.contains("period"), name != "kind") << name;
    if (name == "wind:from") {
      EXPECT_EQ(feature.at("period"), 360);
    }
  }
}

TEST_F(CyclicTest, PredictionsGoRound) {
  fit({"--cyclic", "hour,\"wind:from\":360"});
  const auto predicted = [&](const std::string& shift) {
    return kore({"predict", "m.kore",
                 "SELECT hour + " + shift +
                     " AS hour, \"wind:from\" - 360 * 3 AS \"wind:from\", kind FROM "
                     "'rows.csv'"})
        .out;
  };
  const std::string once = predicted("0");
  EXPECT_EQ(predicted("48"), once);
  EXPECT_EQ(predicted("-24"), once);
  EXPECT_NE(predicted("1"), once);
}

TEST_F(CyclicTest, AreComparedWithThePaperProfileWhichHasNone) {
  const json compared = kore({"compare", "rows.csv", "-t", "y", "--drop", "wind:from", "--cyclic", "hour",
                              "--max-resolution", "hour:6", "--structure", "additive", "--json"})
                            .json();
  EXPECT_FALSE(compared.empty());
  for (const Arguments& more : {Arguments{"--simple"}, Arguments{"--terms", "2"},
                                Arguments{"--max-levels", "3"}, Arguments{"--scale", "sqrt"}}) {
    Arguments all{"compare", "FROM (SELECT hour, kind, y + 10 AS y FROM 'rows.csv')", "-t", "y", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_FALSE(kore(all).json().empty()) << shown(all);
  }
}

TEST_F(CyclicTest, WhatCannotBeIsSaid) {
  const auto says = [&](Arguments more, const std::string& words) {
    Arguments all{"fit", "rows.csv", "-t", "y", "-q"};
    all.insert(all.end(), more.begin(), more.end());
    const auto outcome = run(all);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_SAYS(outcome.err, words);
  };
  says({"--cyclic", "wind:from"}, "do not tell after how much they begin again");
  says({"--cyclic", "wind:from"}, "--cyclic \"wind:from\":360 gives it");
  says({"--cyclic", "hour:1e-300"}, "too short beside its values");
  says({"--cyclic", "hour:soon"}, "does not give a period");
  says({"--cyclic", "kind"}, "whose levels have no order for a curve");
  says({"--cyclic", "nobody"}, "There is no feature 'nobody'");
  says({"--cyclic", "hour", "--linear", "hour"}, "is to be a straight line");
  says({"--cyclic", "hour", "--profile", "paper"}, "belong to the default profile");
  says({"--max-resolution", "hour"}, "takes a column with a whole number");
  says({"--max-resolution", "hour:0"}, "takes a column with a whole number");
  says({"--cyclic", "hour", "--max-resolution", "hour:2"}, "at least 3 for a cyclic feature");
}

}  // namespace
}  // namespace kore
