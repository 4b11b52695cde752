// `--group`, `--precision`, and weights that may not have been meant as counts.
#include <fmt/format.h>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;

/// Patients with an intercept each, which their age tells within the table and not beyond it.
std::string patients(std::size_t count, std::size_t visits) {
  test::Uniform uniform(71);
  std::string text = "patient,age,dose,precision,tenfold,y\n";
  for (std::size_t p = 0; p < count; ++p) {
    const double age = uniform.between(20, 80);
    const double intercept = uniform.between(-2, 2);
    for (std::size_t v = 0; v < visits; ++v) {
      const double dose = uniform();
      const double precision = v % 2 == 0 ? 0.25 : 4;
      const double y = intercept + 3 * dose * dose + uniform.between(-0.3, 0.3) / precision;
      text += fmt::format("P{},{},{},{},{},{}\n", p, age, dose, precision, 8 * precision, y);
    }
  }
  return text;
}

class GroupsTest : public test::CommandTest {
 protected:
  json fitted(std::vector<std::string> more) {
    std::vector<std::string> arguments{"fit", "p.csv", "--target", "y", "--features", "age,dose", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kore(arguments).json();
  }
};

TEST_F(GroupsTest, LeaveTheTableTogether) {
  folder.write("p.csv", patients(40, 12));
  const json by_rows = fitted({});
  const json by_groups = fitted({"--group", "patient"});
  EXPECT_EQ(by_groups.at("accuracy").at("groups"), 40);
  EXPECT_EQ(by_rows.at("accuracy").at("groups"), 0);
  EXPECT_GT(by_groups.at("accuracy").at("rmse").get<double>(),
            1.5 * by_rows.at("accuracy").at("rmse").get<double>());
  const std::string text =
      kore({"fit", "p.csv", "--target", "y", "--features", "age,dose", "--group", "patient"}).out;
  EXPECT_SAYS(text,
              "on new groups (480 rows of 40 groups: the whole fit was repeated 10 times, each time without "
              "a tenth of the groups");
  EXPECT_SAYS(kore({"diagnose", "p.csv", "--target", "y", "--group", "patient"}).out, "Verdict:");
}

TEST_F(GroupsTest, AreNoFeatureAndJudgeALongTable) {
  folder.write("p.csv", patients(60, 150));
  const json found =
      kore({"fit", "p.csv", "--target", "y", "--group", "patient", "--drop", "precision,tenfold", "--json"})
          .json();
  EXPECT_EQ(found.at("accuracy").at("groups"), 30) << found.at("accuracy");
  EXPECT_EQ(found.dump().find("\"patient\""), std::string::npos);
}

TEST_F(GroupsTest, OfLongIdentifiersAreToldApart) {
  std::string text = "id,x,y\n";
  test::Uniform uniform(72);
  for (int r = 0; r < 120; ++r)
    text += fmt::format("{},{},{}\n", 1'700'000'000'000'000'000 + r % 12, uniform(), uniform());
  folder.write("ids.csv", text);
  const json found = kore({"fit", "ids.csv", "--target", "y", "--group", "id", "--json"}).json();
  EXPECT_EQ(found.at("accuracy").at("groups"), 12);
}

TEST_F(GroupsTest, MakeIntervalsThatSayHowFewTheyAre) {
  folder.write("p.csv", patients(8, 12));
  kore({"fit", "p.csv", "--target", "y", "--features", "age,dose", "--group", "patient", "-o", "p.kore"});
  EXPECT_SAYS(run({"predict", "p.kore", "p.csv", "--interval", "0.9"}).err,
              "needs 19 left-out groups, and the model has 8");
}

TEST_F(GroupsTest, AreRefusedWhereTheyMakeNoSense) {
  folder.write("p.csv", patients(20, 6));
  const auto refused = [&](std::vector<std::string> arguments) { return run(arguments).err; };
  EXPECT_SAYS(refused({"compare", "p.csv", "--target", "y", "--group", "patient"}), "it takes no --group");
  EXPECT_SAYS(refused({"fit", "p.csv", "--target", "y", "--group", "patient", "--profile", "paper"}),
              "--group belongs to the default profile");
  EXPECT_SAYS(refused({"fit", "p.csv", "--target", "y", "--group", "patient", "--referee-folds", "1"}),
              "--referee-folds 1 means that there is none");
  EXPECT_SAYS(refused({"fit", "p.csv", "--target", "y", "--group", "y"}),
              "cannot be the target and the group");
  EXPECT_SAYS(refused({"fit", "p.csv", "--target", "y", "--group", ""}), "it must name a column");
  folder.write("gap.csv", "g,x,y\na,1,2\n,2,3\nb,3,1\n,4,2\n");
  EXPECT_SAYS(refused({"fit", "gap.csv", "--target", "y", "--group", "g"}),
              "The group 'g' has no value in 2 rows of the file 'gap.csv'.");
}

TEST_F(GroupsTest, PrecisionsCountByTheirRatiosAlone) {
  folder.write("p.csv", patients(40, 12));
  const json once = fitted({"--precision", "precision"});
  const json tenfold = fitted({"--precision", "tenfold"});
  EXPECT_EQ(once.at("accuracy"), tenfold.at("accuracy"));
  EXPECT_EQ(once.at("weight"), tenfold.at("weight"));
  EXPECT_NEAR(once.at("weight").get<double>(), 480, 1e-9);
  EXPECT_TRUE(once.at("notes").empty()) << once.at("notes");
  EXPECT_SAYS(run({"fit", "p.csv", "--target", "y", "--precision", "precision", "--weights", "tenfold"}).err,
              "--weights and --precision cannot both be given");
}

TEST_F(GroupsTest, WeightsFarFromTheNumberOfRowsAreNoted) {
  folder.write("p.csv", patients(40, 12));
  const json notes = fitted({"--weights", "tenfold"}).at("notes");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_SAYS(notes[0].get<std::string>(), "The weights add up to 8160 in 480 rows.");
  EXPECT_SAYS(notes[0].get<std::string>(), "name them with --precision tenfold.");
  EXPECT_SAYS(kore({"diagnose", "p.csv", "--target", "y", "--weights", "tenfold"}).out,
              "add up to 8160 in 480 rows");
}

TEST_F(GroupsTest, TargetsAndWeightsWithLeadingZerosAreNumbers) {
  std::string text = "x,w,y\n";
  test::Uniform uniform(73);
  for (int r = 0; r < 80; ++r) text += fmt::format("{},01,{:05.2f}\n", uniform(), 9 * uniform());
  folder.write("zeros.csv", text);
  EXPECT_EQ(kore({"fit", "zeros.csv", "--target", "y", "--weights", "w", "--json"}).json().at("n"), 80);
}

}  // namespace
}  // namespace kore
