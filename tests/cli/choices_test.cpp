// Choices of `kore fit` about what is tested and how simple it is: --test, --simple, --terms, --max-columns,
// --linear.
#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;

/// A target of two pairs and three features, as many rows as asked for.
std::string table(std::size_t rows, std::uint64_t seed) {
  test::Uniform uniform(seed);
  std::string text = "a,b,c,years,y,claims,kind,bought\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = uniform();
    const double b = uniform();
    const double c = uniform();
    const double years = uniform.between(0.5, 2);
    const double mean = years * std::exp(1 + std::sin(3 * a));
    int claims = 0;
    for (double left = uniform(); left > std::exp(-mean); left *= uniform()) ++claims;
    const double y =
        std::sin(6 * a) + b + 4 * (a - 0.5) * (b - 0.5) + 0.3 * c * c + uniform.between(-0.1, 0.1);
    const char* kind = a < 0.3 ? "low" : a < 0.6 ? "middle" : "high";
    text += test::digits(a) + "," + test::digits(b) + "," + test::digits(c) + "," + test::digits(years) +
            "," + test::digits(y) + "," + std::to_string(claims) + "," + kind + "," +
            (uniform() < 1 / (1 + std::exp(4 - 8 * a)) ? "gold" : "basic") + "\n";
  }
  return text;
}

class ChoicesTest : public test::CommandTest {
 protected:
  void SetUp() override {
    folder.write("train.csv", table(400, 1));
    folder.write("new.csv", table(300, 2));
  }
  json fitted(const std::string& target, std::vector<std::string> more) const {
    std::vector<std::string> arguments{"fit", "train.csv", "-t", target, "--features", "a,b,c", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kore(arguments).json();
  }
};

TEST_F(ChoicesTest, ATestTableHasTheErrorsOfItsPredictions) {
  const json found = fitted("y", {"--test", "new.csv", "-o", "m.kore"}).at("test");
  const auto predicted = test::csv_numbers(kore({"predict", "m.kore", "new.csv"}).out, "prediction");
  const auto observed = test::csv_numbers(folder.read("new.csv"), "y");
  double squares = 0;
  double sizes = 0;
  for (std::size_t r = 0; r < observed.size(); ++r) {
    squares += std::pow(observed[r] - predicted[r], 2);
    sizes += std::abs(observed[r] - predicted[r]);
  }
  EXPECT_EQ(found.at("rows"), observed.size());
  EXPECT_NEAR(found.at("rmse").get<double>(), std::sqrt(squares / 300), 1e-9);
  EXPECT_NEAR(found.at("mae").get<double>(), sizes / 300, 1e-9);
  const std::string text =
      kore({"fit", "train.csv", "-t", "y", "--features", "a,b,c", "--test", "new.csv"}).out;
  EXPECT_TRUE(text.starts_with("Test        RMSE ")) << text;
  EXPECT_SAYS(text, "on 300 rows of 'new.csv', an RMSE of ");
}

TEST_F(ChoicesTest, ATestTableOfYesAndNoHasTheLossOfItsProbabilities) {
  const json found = fitted("bought", {"--test", "new.csv", "-o", "m.kore"}).at("test");
  const auto predicted = test::csv_numbers(kore({"predict", "m.kore", "new.csv"}).out, "prediction");
  std::vector<std::string> observed;
  for (const test::CsvLine& line : test::csv_lines(folder.read("new.csv")))
    observed.push_back(line.at("bought"));
  double loss = 0;
  double orders = 0;
  double pairs = 0;
  for (std::size_t r = 0; r < observed.size(); ++r) {
    loss -= std::log(observed[r] == "gold" ? predicted[r] : 1 - predicted[r]) / 300;
    for (std::size_t s = 0; observed[r] == "gold" && s < observed.size(); ++s) {
      if (observed[s] == "gold") continue;
      pairs += 1;
      orders += predicted[r] > predicted[s] ? 1 : predicted[r] == predicted[s] ? 0.5 : 0;
    }
  }
  EXPECT_NEAR(found.at("log_loss").get<double>(), loss, 1e-9);
  EXPECT_NEAR(found.at("auc").get<double>(), orders / pairs, 1e-9);
}

TEST_F(ChoicesTest, ATestTableWithExposuresHasRates) {
  const json found =
      fitted("claims", {"--exposure", "years", "--test", "new.csv", "-o", "m.kore"}).at("test");
  // Counts over exposures, which weigh the rows; `kore predict` gives counts.
  const auto counts = test::csv_numbers(kore({"predict", "m.kore", "new.csv"}).out, "prediction");
  const auto years = test::csv_numbers(folder.read("new.csv"), "years");
  const auto claims = test::csv_numbers(folder.read("new.csv"), "claims");
  double squares = 0;
  double weight = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    squares += years[r] * std::pow((claims[r] - counts[r]) / years[r], 2);
    weight += years[r];
  }
  EXPECT_NEAR(found.at("rmse").get<double>(), std::sqrt(squares / weight), 1e-9);
  EXPECT_GT(found.at("deviance_explained").get<double>(), 0.02);
}

TEST_F(ChoicesTest, ATestTableIsRefusedWhereItCannotTell) {
  folder.write("bare.csv", "a,b,c\n0.1,0.2,0.3\n");
  const auto bare = run({"fit", "train.csv", "-t", "y", "--features", "a,b,c", "--test", "bare.csv"});
  EXPECT_EQ(bare.status, 2);
  EXPECT_SAYS(bare.err, "'y'");
  const auto classes = run({"fit", "train.csv", "-t", "kind", "--features", "a,b,c", "--test", "new.csv"});
  EXPECT_EQ(classes.status, 2);
  EXPECT_SAYS(classes.err, "--test checks one model, and 'kind' has 3 classes");
  const auto none = run({"fit", "train.csv", "-t", "y", "--test", "nowhere.csv"});
  EXPECT_EQ(none.status, 2);
}

TEST_F(ChoicesTest, SimpleTakesTheSmallestModelWithinAStandardError) {
  const json best = fitted("y", {});
  const json simple = fitted("y", {"--simple"});
  EXPECT_LE(simple.at("effects").size(), best.at("effects").size());
  EXPECT_EQ(simple.at("simple"), true);
  double least = INFINITY;
  double allowed = 0;
  json chosen;
  for (const json& stage : simple.at("stages")) {
    if (stage.at("chosen") == true) chosen = stage;
    if (stage.at("unseen").is_null() || stage.at("unseen").get<double>() >= least) continue;
    least = stage.at("unseen");
    allowed = least + stage.at("unseen_error").get<double>();
  }
  ASSERT_FALSE(chosen.is_null());
  EXPECT_LE(chosen.at("unseen").get<double>(), allowed);
  for (const json& stage : simple.at("stages"))
    if (!stage.at("unseen").is_null() && stage.at("unseen").get<double>() <= allowed) {
      EXPECT_GE(stage.at("terms"), chosen.at("terms")) << "a simpler model is as good";
    }
  EXPECT_SAYS(
      kore({"fit", "train.csv", "-t", "y", "--features", "a,b,c", "--simple"}).out,
      "the simplest model whose error on rows used in no part of its fit is within one standard error");
}

TEST_F(ChoicesTest, TermsLimitsHowManyThereAre) {
  for (const int most : {1, 2}) {
    const json found = fitted("y", {"--terms", std::to_string(most)});
    EXPECT_LE(found.at("effects").size(), static_cast<std::size_t>(most));
    EXPECT_EQ(found.at("max_terms"), most);
  }
  EXPECT_EQ(fitted("y", {"--terms", "1"}).at("effects").at(0).at("features"), (json{"a"}))
      << "it matters most";
}

TEST_F(ChoicesTest, MaxColumnsLimitsTheModel) {
  const json free = fitted("y", {});
  ASSERT_GT(free.at("columns").get<int>(), 25);
  const json small = fitted("y", {"--max-columns", "25"});
  EXPECT_LE(small.at("columns").get<int>(), 25);
  EXPECT_GT(small.at("accuracy").at("rmse"), free.at("accuracy").at("rmse")) << "the sine of a needs knots";
  EXPECT_EQ(run({"fit", "train.csv", "-t", "y", "--max-columns", "0"}).status, 2);
}

TEST_F(ChoicesTest, LinearMakesAStraightLine) {
  kore({"fit", "train.csv", "-t", "y", "--features", "a,b,c", "--linear", "a", "--structure", "additive",
        "-o", "m.kore", "-q"});
  folder.write("line.csv", "a,b,c\n0.2,0.5,0.5\n0.4,0.5,0.5\n0.6,0.5,0.5\n0.8,0.5,0.5\n");
  const auto at = [&](const std::string& model) {
    return test::csv_numbers(kore({"predict", model, "line.csv"}).out, "prediction");
  };
  const auto straight = at("m.kore");
  for (std::size_t i = 2; i < straight.size(); ++i)
    EXPECT_NEAR(straight[i] - straight[i - 1], straight[1] - straight[0], 1e-9);
  kore({"fit", "train.csv", "-t", "y", "--features", "a,b,c", "--structure", "additive", "-o", "free.kore",
        "-q"});
  const auto curved = at("free.kore");
  EXPECT_GT(std::abs((curved[3] - curved[2]) - (curved[1] - curved[0])), 0.1) << "the sine would be curved";
  const auto kind_of_a = [&](const std::string& model) {
    const json effects = kore({"effects", model, "--format", "json"}).json();
    for (const json& term : effects.at("terms"))
      if (term.at("features") == json::array({"a"})) return term.at("kind").get<std::string>();
    return std::string("none");
  };
  EXPECT_EQ(kind_of_a("m.kore"), "linear");
  EXPECT_EQ(kind_of_a("free.kore"), "curve");
}

}  // namespace
}  // namespace kore
