// Choices for single columns: values that begin again, and how fine curves may be.
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
    for (const json& term : kore({"effects", "m.kore", "--format", "json"}).json().at("terms"))
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
    EXPECT_GT(std::abs(effect[25] - effect[75]), 0.5) << "but it is not level";
  }
  const json open = fit({});
  EXPECT_GT(std::abs(curve("hour").at("effect").front().get<double>() -
                     curve("hour").at("effect").back().get<double>()),
            1e-6);
}

TEST_F(CyclicTest, AColumnWithAColonIsNamedAsItIs) {
  fit({"--cyclic", "wind:from", "--max-resolution", "wind:from:5,hour:4"});
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

TEST_F(CyclicTest, WhatCannotBeIsSaid) {
  const auto says = [&](Arguments more, const std::string& words) {
    Arguments all{"fit", "rows.csv", "-t", "y", "-q"};
    all.insert(all.end(), more.begin(), more.end());
    const auto outcome = run(all);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_SAYS(outcome.err, words);
  };
  says({"--cyclic", "hour:12"}, "go from 0 to 23, which is more than its period of 12");
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
