// `kore effects`: the model taken apart adds up to the model.
#include <array>
#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::csv_numbers;
using test::digits;

class EffectsTest : public test::CommandTest {
 protected:
  void SetUp() override {
    test::write_rows(folder.path("rows.csv"), test::made_up_rows(500, 3, 21));
    kore({"fit", "rows.csv", "--target", "y", "--structure", "pairwise", "--pairs", "all", "-q", "-o",
          "rows.kore"});
  }
  json terms_of(const std::string& model) const {
    return kore({"effects", model, "--format", "json"}).json().at("terms");
  }
};

/// A term at one point of the grid: `at[name]` is the index on that feature's axis.
double term_at(const json& term, const std::map<std::string, std::size_t>& at, std::size_t points) {
  std::size_t index = 0;
  for (const json& name : term.at("features")) index = index * points + at.at(name.get<std::string>());
  return term.at("effect").at(index).get<double>();
}

TEST_F(EffectsTest, AddUpToThePrediction) {
  constexpr std::size_t points = 9;
  const json effects = kore({"effects", "rows.kore", "--format", "json", "--points", "9", "--surface-points",
                             "9", "--slices", "9"})
                           .json();
  ASSERT_GT(effects.at("terms").size(), 3U) << "three main effects and interactions";
  std::map<std::string, json> axes;
  for (const json& term : effects.at("terms"))
    if (term.at("features").size() == 1) axes[term.at("features").at(0)] = term.at("points").at(0);
  std::string rows = "x1,x2,x3\n";
  std::vector<double> sums;
  for (std::size_t i = 0; i < points; ++i) {
    const std::map<std::string, std::size_t> at{
        {"x1", i}, {"x2", (3 * i + 1) % points}, {"x3", (5 * i) % points}};
    rows += digits(axes["x1"][at.at("x1")]) + "," + digits(axes["x2"][at.at("x2")]) + "," +
            digits(axes["x3"][at.at("x3")]) + "\n";
    double sum = effects.at("constant");
    for (const json& term : effects.at("terms")) sum += term_at(term, at, points);
    sums.push_back(sum);
  }
  folder.write("grid.csv", rows);
  const auto predicted = csv_numbers(kore({"predict", "rows.kore", "grid.csv"}).out, "prediction");
  for (std::size_t i = 0; i < points; ++i) EXPECT_NEAR(predicted[i], sums[i], 1e-9);
}

TEST_F(EffectsTest, AreRankedByTheirShareAndCovariancesAddUpToOne) {
  const json effects = kore({"effects", "rows.kore", "--format", "json"}).json();
  double total = 0;
  double last = std::numeric_limits<double>::infinity();
  for (const json& term : effects.at("terms")) {
    EXPECT_LE(std::abs(term.at("covariance_share").get<double>()), last);
    last = std::abs(term.at("covariance_share").get<double>());
    total += term.at("covariance_share").get<double>();
  }
  EXPECT_NEAR(total, 1, 1e-9);
  const std::string table = kore({"effects", "rows.kore"}).out;
  const auto first = effects.at("terms").at(0).at("features").at(0).get<std::string>();
  EXPECT_LT(table.find("\n" + first), table.find(" × "));
  EXPECT_SAYS(table, "overlap");
}

TEST_F(EffectsTest, FolderHoldsTheCurvesOfTheJson) {
  const json effects =
      kore({"effects", "rows.kore", "--format", "json", "--points", "7", "--surface-points", "4"}).json();
  const auto outcome =
      kore({"effects", "rows.kore", "-o", "some/where", "--points", "7", "--surface-points", "4"});
  EXPECT_SAYS(outcome.out, std::to_string(effects.at("terms").size()) + " effects in some/where");
  std::size_t rank = 0;
  for (const json& term : effects.at("terms")) {
    std::string name = "some/where/00" + std::to_string(++rank);
    for (const json& feature : term.at("features")) name += "_" + feature.get<std::string>();
    const std::string text = folder.read(name + ".csv");
    EXPECT_EQ(csv_numbers(text, "effect"), term.at("effect").get<std::vector<double>>());
    for (std::size_t c = 0; c < term.at("features").size(); ++c)
      EXPECT_EQ(csv_numbers(text, term.at("features").at(c)),
                term.at("points").at(c).get<std::vector<double>>());
    constexpr std::array sizes{7U, 4U * 4U, 4U * 4U * 3U};
    EXPECT_EQ(csv_numbers(text, "effect").size(), sizes.at(term.at("features").size() - 1));
    if (term.at("features").size() > 2) continue;
    for (const char* column : {"standard_error", "lower", "upper"})
      EXPECT_EQ(csv_numbers(text, column), term.at(column).get<std::vector<double>>());
  }
  kore({"effects", "rows.kore", "-o", "json", "--format", "json", "--points", "7", "--surface-points", "4"});
  EXPECT_EQ(json::parse(folder.read("json/effects.json")), effects);
}

TEST_F(EffectsTest, FolderListsItsFilesAndTheConstant) {
  const json effects = kore({"effects", "rows.kore", "--format", "json"}).json();
  kore({"effects", "rows.kore", "-o", "curves"});
  const auto list = test::csv_lines(folder.read("curves/effects.csv"));
  ASSERT_EQ(list.size(), effects.at("terms").size() + 1);
  EXPECT_EQ(list[0].at("term"), "(constant)");
  EXPECT_EQ(std::stod(list[0].at("value")), effects.at("constant").get<double>());
  constexpr std::array kinds{"curve", "surface", "slices"};
  for (std::size_t t = 0; t + 1 < list.size(); ++t) {
    const json& term = effects.at("terms").at(t);
    EXPECT_EQ(list[t + 1].at("kind"), kinds.at(term.at("features").size() - 1));
    EXPECT_EQ(std::stod(list[t + 1].at("share")), term.at("share").get<double>());
    EXPECT_TRUE(folder.has("curves/" + list[t + 1].at("file")));
  }
}

TEST_F(EffectsTest, FolderLosesTheCurvesOfAnEarlierModelAndNothingElse) {
  kore({"effects", "rows.kore", "-o", "curves"});
  folder.write("curves/mine.csv", "a\n1\n");
  folder.write("curves/001_mine.csv", "a\n1\n");
  kore({"fit", "rows.csv", "--target", "y", "--features", "x2", "-q", "-o", "one.kore"});
  kore({"effects", "one.kore", "-o", "curves"});
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("curves")))
    left.insert(entry.path().filename());
  EXPECT_EQ(left, (std::set<std::string>{"001_mine.csv", "001_x2.csv", "effects.csv", "mine.csv"}));
  folder.write("curves/effects.csv", "something,else\n");
  const auto outcome = run({"effects", "one.kore", "-o", "curves"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "was not written by 'kore effects'");
}

TEST_F(EffectsTest, FolderHoldsTheEffectsOfOneModelInOneFormat) {
  kore({"fit", "rows.csv", "--target", "y", "--features", "x2", "-q", "-o", "one.kore"});
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("effects")))
      names.insert(entry.path().filename());
    return names;
  };
  kore({"effects", "rows.kore", "-o", "effects"});
  folder.write("effects/mine.csv", "a\n1\n");
  kore({"effects", "one.kore", "-o", "effects", "--format", "json"});
  EXPECT_EQ(files(), (std::set<std::string>{"effects.json", "mine.csv"}));
  kore({"effects", "one.kore", "-o", "effects"});
  EXPECT_EQ(files(), (std::set<std::string>{"001_x2.csv", "effects.csv", "mine.csv"}));
  for (const char* name : {"effects.csv", "effects.json"}) {
    folder.write(std::string("effects/") + name, "{\"mine\": 1}\n");
    for (const char* format : {"csv", "json"}) {
      const auto outcome = run({"effects", "one.kore", "-o", "effects", "--format", format});
      EXPECT_EQ(outcome.status, 2);
      EXPECT_SAYS(outcome.err, "was not written by 'kore effects'");
      EXPECT_EQ(folder.read(std::string("effects/") + name), "{\"mine\": 1}\n");
    }
    std::filesystem::remove(folder.path(std::string("effects/") + name));
  }
}

TEST_F(EffectsTest, GoToTheStandardOutputAsOneTable) {
  const json effects = kore({"effects", "rows.kore", "--format", "json"}).json();
  const std::string text = kore({"effects", "rows.kore", "--format", "csv"}).out;
  std::size_t order = 1;
  for (const json& term : effects.at("terms")) order = std::max(order, term.at("features").size());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            std::string("term,x1,x2,") + (order == 3 ? "x3," : "") + "effect,standard_error,lower,upper");
  const auto values = csv_numbers(text, "effect");
  EXPECT_EQ(values.at(0), effects.at("constant").get<double>());
  std::size_t at = 1;
  for (const json& term : effects.at("terms"))
    for (const json& value : term.at("effect")) ASSERT_EQ(values.at(at++), value.get<double>());
  EXPECT_EQ(at, values.size());
}

TEST_F(EffectsTest, OfCategoriesAreTheirLevelsAndInThePaperProfileIndicators) {
  folder.write("flats.csv", test::flats_csv(600, 1));
  std::map<std::string, double> step;
  for (const std::string profile : {"default", "paper"}) {
    kore({"fit", "flats.csv", "--target", "rent", "--features", "size,city", "--pairs", "none", "--profile",
          profile, "-q", "-o", "flats.kore"});
    for (const json& term : terms_of("flats.kore")) {
      const std::string name = term.at("features").at(0);
      const json& effect = term.at("effect");
      if (name == "city") {
        EXPECT_EQ(term.at("kind"), "levels");
        EXPECT_EQ(term.at("points").at(0), (json{"Aachen", "Bonn", "Cologne", "(other)"}));
        EXPECT_EQ(term.at("standard_error").size(), 4U);
        step["levels"] = effect.at(1).get<double>() - effect.at(0).get<double>();
      } else if (name.rfind("city=", 0) == 0) {
        step[name] = effect.back().get<double>() - effect.at(0).get<double>();
      }
    }
  }
  ASSERT_EQ(step.size(), 4U);
  EXPECT_NEAR(step["levels"], 120, 30) << "120 by construction, with some noise";
  EXPECT_NEAR(step["city=Bonn"] - step["city=Aachen"], 120, 30);
}

TEST_F(EffectsTest, OfMainEffectsHaveBandsThatHoldTheTruth) {
  const std::string query =
      "SELECT i * 37 % 401 / 400.0 AS x, i * 91 % 401 / 400.0 AS z, sin(6 * x) + z + "
      "(hash(i) % 1000 / 1000.0 - 0.5) AS y FROM range(401) t(i)";
  kore({"fit", query, "--target", "y", "--pairs", "none", "-q", "-o", "wave.kore"});
  double inside = 0;
  for (const json& term : terms_of("wave.kore")) {
    const double mean = term.at("features").at(0) == "x" ? (1 - std::cos(6)) / 6 : 0.5;
    for (std::size_t i = 0; i < 101; ++i) {
      const double at = term.at("points").at(0).at(i);
      const double truth = (term.at("features").at(0) == "x" ? std::sin(6 * at) : at) - mean;
      const double lower = term.at("lower").at(i);
      const double upper = term.at("upper").at(i);
      inside += lower <= truth && truth <= upper ? 1.0 / 202 : 0;
      EXPECT_NEAR(upper - lower, 2 * 1.96 * term.at("standard_error").at(i).get<double>(), 1e-3);
      EXPECT_LT(upper - lower, 0.5);
    }
  }
  EXPECT_GT(inside, 0.85) << "95 % on average over curves, but here are only two";
  kore({"fit", query, "--target", "y", "--profile", "paper", "-q", "-o", "plain.kore"});
  for (const json& term : terms_of("plain.kore"))
    EXPECT_FALSE(term.contains("lower")) << "the published algorithm has no bands";
}

TEST_F(EffectsTest, OfStraightLinesAreCalledLinear) {
  kore({"fit",
        "SELECT sin(i) AS x, cos(3 * i) AS z, x + 2 * z + 0.3 * sin(17 * i * i) AS y FROM range(80) t(i)",
        "--target", "y", "-q", "-o", "lines.kore"});
  for (const json& term : terms_of("lines.kore")) {
    EXPECT_EQ(term.at("kind"), "linear");
    EXPECT_EQ(term.at("effect").size(), 2U);
  }
}

TEST_F(EffectsTest, OfTwoValuesIsALineInTheDefaultProfile) {
  const std::string query =
      "SELECT i % 2 AS bit, i % 3 = 0 AS flag, sin(i) AS x, sin(i) + i % 2 + 0.1 * sin(7 * i) AS y "
      "FROM range(200) t(i)";
  for (const std::string profile : {"default", "paper"}) {
    kore({"fit", query, "--target", "y", "--pairs", "none", "--profile", profile, "-q", "-o", "steps.kore"});
    for (const json& term : terms_of("steps.kore")) {
      const bool step = profile == "default" && term.at("features").at(0) != "x";
      EXPECT_EQ(term.at("effect").size(), step ? 2U : 101U) << profile << term.at("features");
      EXPECT_EQ(term.at("kind"), step ? "linear" : "curve");
      if (step && term.at("features").at(0) == "bit") {
        EXPECT_NEAR(term.at("effect").at(1).get<double>() - term.at("effect").at(0).get<double>(), 1, 0.05);
      }
    }
  }
}

TEST_F(EffectsTest, AFolderThatCannotBeMadeIsRefused) {
  const auto outcome = run({"effects", "rows.kore", "-o", "rows.csv/effects"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_SAYS(outcome.err, "kore: Cannot make the folder 'rows.csv/effects'");
}

TEST_F(EffectsTest, AreDrawnInOnePicture) {
  const auto outcome = kore({"effects", "rows.kore", "--svg", "rows.svg", "--most", "2"});
  EXPECT_SAYS(outcome.out, "2 effects drawn in rows.svg");
  const std::string svg = folder.read("rows.svg");
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  kore({"effects", "rows.kore", "--svg", "rows.svg"});  // a drawing may be drawn again
  folder.write("notes.svg", "mine");
  EXPECT_SAYS(run({"effects", "rows.kore", "--svg", "notes.svg"}).err, "is not a drawing in SVG");
  EXPECT_EQ(folder.read("notes.svg"), "mine");
  EXPECT_EQ(run({"effects", "rows.kore", "--svg", "rows.kore"}).status, 2);
  EXPECT_EQ(run({"effects", "rows.kore", "--svg", "a.svg", "--format", "csv"}).status, 2);
}

}  // namespace
}  // namespace kore
