// `--robust`: targets that are wrong by any amount.
#include <fmt/format.h>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;

/// A curve, where every fortieth target has lost its decimal point.
std::string measurements(bool wrong) {
  test::Uniform uniform(73);
  std::string text = "a,b,y\n";
  for (int r = 0; r < 400; ++r) {
    const double a = uniform();
    const double b = uniform();
    const double y = 3 + 2 * a * a + b + uniform.between(-0.2, 0.2);
    text += fmt::format("{},{},{}\n", a, b, wrong && r % 40 == 7 ? 100 * y : y);
  }
  return text;
}

class RobustTest : public test::CommandTest {
 protected:
  json fitted(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"fit", "t.csv", "--target", "y", "-o", "m.kore", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kore(arguments).json();
  }
};

TEST_F(RobustTest, FitsTheOtherRowsAndSaysHowManyDoNotCount) {
  folder.write("t.csv", measurements(true));
  const json robust = fitted({"--robust"});
  EXPECT_EQ(robust.at("loss"), "robust");
  EXPECT_EQ(robust.at("robust").at("discounted"), 10);
  EXPECT_EQ(robust.at("robust").at("rows"), 400);
  EXPECT_NEAR(robust.at("robust").at("scale").get<double>(), 0.13, 0.04);
  EXPECT_GT(robust.at("robust").at("r2").get<double>(), 0.9);
  EXPECT_GT(robust.at("accuracy").at("rmse").get<double>(), 10) << "of all rows";
  EXPECT_SAYS(kore({"info", "m.kore"}).out, "10 of 400 left-out rows are so far off");
  EXPECT_EQ(kore({"info", "m.kore", "--json"}).json().at("robust"), robust.at("robust")) << "the file has it";
}

TEST_F(RobustTest, IsSuggestedWhereAFewErrorsDecide) {
  folder.write("t.csv", measurements(true));
  const json plain = fitted();
  EXPECT_EQ(plain.at("loss"), "squared");
  EXPECT_TRUE(plain.at("robust").is_null());
  EXPECT_EQ(plain.at("accuracy").at("gross_errors"), 10);
  EXPECT_SAYS(plain.at("verdict").get<std::string>(), "10 errors stand apart from all others");
  EXPECT_SAYS(plain.at("verdict").get<std::string>(), "--robust");
  EXPECT_EQ(kore({"info", "m.kore", "--json"}).json().at("accuracy"), plain.at("accuracy"));
}

TEST_F(RobustTest, IsNotSuggestedOnCleanRows) {
  folder.write("t.csv", measurements(false));
  EXPECT_EQ(fitted().at("verdict").get<std::string>().find("robust"), std::string::npos);
}

TEST_F(RobustTest, HasAReport) {
  folder.write("t.csv", measurements(true));
  fitted({"--robust", "--report", "r.html"});
  EXPECT_SAYS(folder.read("r.html"), "The loss is the robust one");
}

TEST_F(RobustTest, BelongsToTheDefaultProfile) {
  folder.write("t.csv", measurements(true));
  const auto refused = run({"fit", "t.csv", "--target", "y", "--robust", "--profile", "paper"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_SAYS(refused.err, "--robust belongs to the default profile");
}

}  // namespace
}  // namespace kore
