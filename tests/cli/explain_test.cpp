// `kore explain`: what each effect adds to each row.
#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using test::csv_numbers;
using test::digits;

class ExplainTest : public test::CommandTest {
 protected:
  /// Two columns that nearly determine each other, a category and a yes or no.
  void SetUp() override {
    const test::Rows rows = test::made_up_rows(400, 3, 21);
    std::string text = "id,a,b,kind,y,bought\n";
    for (std::size_t r = 0; r < rows.count; ++r) {
      const double a = rows.at(r, 0);
      const double b = 0.8 * a + 0.2 * rows.at(r, 1);
      const char* kind = r % 3 == 0 ? "x" : r % 3 == 1 ? "y" : "z";
      const double y = std::sin(5 * a) + 4 * a * b + (r % 3 == 1 ? b : 0) + 0.1 * rows.at(r, 2);
      text += std::to_string(r) + "," + digits(a) + "," + digits(b) + "," + kind + "," + digits(y) + "," +
              (y + rows.at(r, 2) > 2 ? "yes" : "no") + "\n";
    }
    folder.write("rows.csv", text);
    kore({"fit", "rows.csv", "--target", "y", "--drop", "id,bought", "-q", "-o", "rows.kore"});
  }
  /// Constant and effects of each row.
  static std::vector<double> added_up(const std::string& csv) {
    std::vector<double> sums = csv_numbers(csv, "constant");
    std::istringstream head(csv.substr(0, csv.find('\n')));
    for (std::string name; std::getline(head, name, ',');) {
      if (!name.starts_with("effect of ")) continue;
      const std::vector<double> values = csv_numbers(csv, name);
      for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += values[r];
    }
    return sums;
  }
};

TEST_F(ExplainTest, AddsUpToThePrediction) {
  for (const bool raw : {false, true}) {
    Arguments arguments{"explain", "rows.kore", "rows.csv"};
    if (raw) arguments.emplace_back("--raw");
    const std::string out = kore(arguments).out;
    const std::vector<double> predicted =
        csv_numbers(kore({"predict", "rows.kore", "rows.csv"}).out, "prediction");
    EXPECT_EQ(csv_numbers(out, "prediction"), predicted);
    const std::vector<double> sums = added_up(out);
    const std::vector<double> stated = csv_numbers(out, "sum");
    ASSERT_EQ(sums.size(), predicted.size());
    for (std::size_t r = 0; r < sums.size(); ++r) EXPECT_NEAR(sums[r], stated[r], 1e-10);
  }
}

TEST_F(ExplainTest, OfYesAndNoAddsUpToTheLogOdds) {
  kore({"fit", "rows.csv", "--target", "bought", "--drop", "id,y", "-q", "-o", "odds.kore"});
  const std::string out = kore({"explain", "odds.kore", "rows.csv"}).out;
  const std::vector<double> sums = added_up(out);
  const std::vector<double> predicted = csv_numbers(out, "prediction");
  for (std::size_t r = 0; r < sums.size(); ++r) {
    EXPECT_NEAR(sums[r], csv_numbers(out, "sum")[r], 1e-9);
    if (predicted[r] > 0.01 && predicted[r] < 0.99) {
      EXPECT_NEAR(1 / (1 + std::exp(-sums[r])), predicted[r], 1e-9);
    }
  }
}

TEST_F(ExplainTest, WarnsOfTheRowsThatPredictWarnsOf) {
  folder.write("new.csv", "id,a,b,kind\n1,9,0.5,x\n2,0.5,,unseen\n");
  const auto explained = run({"explain", "rows.kore", "new.csv"});
  EXPECT_EQ(explained.err, run({"predict", "rows.kore", "new.csv"}).err);
  EXPECT_SAYS(explained.err, "a level that training did not have");
  EXPECT_EQ(csv_numbers(explained.out, "prediction"),
            csv_numbers(run({"predict", "rows.kore", "new.csv"}).out, "prediction"));
}

TEST_F(ExplainTest, KeepsColumnsBesideTheirEffects) {
  const std::string out = kore({"explain", "rows.kore", "rows.csv", "--keep", "a,id"}).out;
  EXPECT_EQ(csv_numbers(out, "id")[7], 7);
  EXPECT_NE(csv_numbers(out, "a"), csv_numbers(out, "effect of a"));
  kore({"explain", "rows.kore", "rows.csv", "--keep", "a", "-q", "-o", "e.parquet"});
  kore({"explain", "rows.kore", "rows.csv", "--keep", "a", "-q", "-o", "e.csv"});
  EXPECT_EQ(csv_numbers(folder.read("e.csv"), "effect of b"), csv_numbers(out, "effect of b"));
  // The explained file can be read again as a table.
  EXPECT_EQ(run({"predict", "rows.kore", "FROM 'e.parquet'"}).status, 2) << "it has no column b";
}

TEST_F(ExplainTest, SaysNothingButRowsWhereItIsQuiet) {
  const auto outcome = kore({"explain", "rows.kore", "rows.csv", "-o", "e.csv"});
  EXPECT_SAYS(outcome.out, "400 rows of 'y' explained in e.csv");
  EXPECT_EQ(kore({"explain", "rows.kore", "rows.csv", "-q", "-o", "e.csv"}).out, "");
}

TEST_F(ExplainTest, EffectsArePurifiedUnlessTheyAreRaw) {
  const auto effects = [&](bool raw) {
    Arguments arguments{"effects", "rows.kore", "--format", "json"};
    if (raw) arguments.emplace_back("--raw");
    return kore(arguments).json();
  };
  const auto purified = effects(false);
  EXPECT_TRUE(purified.at("purified").get<bool>());
  EXPECT_FALSE(effects(true).at("purified").get<bool>());
  double total = 0;
  for (const auto& term : purified.at("terms")) {
    const double share = term.at("covariance_share");
    total += share;
    if (term.at("features").size() > 1) {
      EXPECT_GT(share, -0.02) << term.at("features");
    }
  }
  EXPECT_NEAR(total, 1, 1e-9);
}

}  // namespace
}  // namespace kore
