// `kore compare`: KORE beside the methods that search.
#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "support/fixture.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::Fixture;
using test::Rows;

class CompareTest : public test::CommandTest {
 protected:
  static std::map<std::string, json> by_method(const json& table) {
    std::map<std::string, json> rows;
    for (const json& row : table) rows[row.at("method")] = row;
    return rows;
  }
};

TEST_F(CompareTest, AgreesWithThePublishedLadder) {
  const Fixture fixture("pairwise_d4");
  Rows rows{fixture.rows, fixture.columns, {}, fixture.y, {}};
  for (std::size_t j = 0; j < rows.columns; ++j)
    for (std::size_t r = 0; r < rows.count; ++r) rows.x.push_back(fixture.train()(r, j));
  test::write_rows(folder.path("fixture.csv"), rows);
  std::string pairs;
  for (const auto& [i, j] : fixture.pairs)
    pairs += (pairs.empty() ? "x" : ",x") + std::to_string(i + 1) + ":x" + std::to_string(j + 1);
  const auto ours = by_method(kore({"compare", "fixture.csv", "--target", "y", "--profile", "paper",
                                    "--pairs", pairs, "--max-g-pairwise", "10", "--seed", "7", "--json"})
                                  .json());
  ASSERT_EQ(ours.size(), 7U);
  EXPECT_LT(ours.at("KORE default").at("score").get<double>(),
            1.01 * ours.at("KORE paper").at("score").get<double>());
  EXPECT_EQ(ours.at("KORE paper").at("structure"), fixture.json["select_auto"]["structure"]);
  EXPECT_EQ(ours.at("KORE paper").at("G"), fixture.json["select_auto"]["G_star"]);
  EXPECT_EQ(ours.at("KORE paper").at("fits"), fixture.json["select_auto"]["fits_total"]);
  for (const auto& [name, key] : std::map<std::string, std::string>{
           {"3-fold CV", "cv"}, {"GCV", "gcv"}, {"Cp", "cp"}, {"AIC", "aic"}, {"BIC", "bic"}}) {
    SCOPED_TRACE(name);
    const json& published = fixture.json["ladder"][key];
    EXPECT_EQ(ours.at(name).at("structure"), published["structure"]);
    EXPECT_EQ(ours.at(name).at("G"), published["G_star"]);
    EXPECT_EQ(ours.at(name).at("fits"), published["fits"]);
    EXPECT_NEAR(ours.at(name).at("score").get<double>() / published["score"].get<double>(), 1, 1e-6);
    EXPECT_GT(ours.at(name).at("seconds"), 0);
  }
}

TEST_F(CompareTest, TableTellsWhatTheJsonTells) {
  test::write_rows(folder.path("rows.csv"), test::made_up_rows(150, 2, 2));
  const json table = kore({"compare", "rows.csv", "--target", "y", "--folds", "5", "--json"}).json();
  const std::string text = kore({"compare", "rows.csv", "--target", "y", "--folds", "5"}).out;
  EXPECT_SAYS(text, "method");
  EXPECT_SAYS(text, "5-fold CV");
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  for (std::size_t m = 0; m < table.size(); ++m) {
    EXPECT_EQ(lines.at(m + 1).rfind(table[m].at("method").get<std::string>(), 0), 0U);
    EXPECT_SAYS(lines.at(m + 1), table[m].at("structure").get<std::string>());
    EXPECT_SAYS(lines.at(m + 1), table[m].at("score_meaning").get<std::string>());
  }
}

/// Whoever asks for the default profile sees the same searches as who asks for the paper's.
TEST_F(CompareTest, SearchesThePublishedFamiliesWhateverTheProfile) {
  test::write_rows(folder.path("rows.csv"), test::made_up_rows(150, 2, 2));
  const auto standard = by_method(kore({"compare", "rows.csv", "--target", "y", "--json"}).json());
  const auto paper =
      by_method(kore({"compare", "rows.csv", "--target", "y", "--profile", "paper", "--json"}).json());
  ASSERT_EQ(standard.size(), paper.size());
  for (const auto& [method, row] : paper)
    for (const char* key : {"structure", "G", "fits", "score"})
      EXPECT_EQ(standard.at(method).at(key), row.at(key)) << method << " " << key;
}

/// Categories, gaps and two values are encoded otherwise in the paper profile, and its row is that profile's.
TEST_F(CompareTest, PaperRowIsTheFitOfThePaperProfile) {
  folder.write("flats.csv", test::flats_csv(300, 1));
  const Arguments table{"flats.csv", "--target", "rent", "--drop", "id", "--json"};
  const auto with = [&](const std::string& command, const Arguments& more) {
    Arguments arguments{command};
    arguments.insert(arguments.end(), table.begin(), table.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kore(arguments).json();
  };
  const json fitted = with("fit", {"--profile", "paper"});
  const json standard = with("fit", {});
  for (const Arguments& profile :
       {Arguments{}, Arguments{"--profile", "paper"}, Arguments{"--max-order", "3"}}) {
    const auto rows = by_method(with("compare", profile));
    for (const auto& [method, fit] :
         {std::pair{"KORE paper", &fitted}, std::pair{"KORE default", &standard}}) {
      for (const char* key : {"structure", "G", "fits"})
        EXPECT_EQ(rows.at(method).at(key), fit->at(key)) << key;
      EXPECT_EQ(rows.at(method).at("score"), fit->at("loo"));
    }
  }
}

TEST_F(CompareTest, ReadsTheStandardInputOnceForBothProfiles) {
  folder.write("flats.csv", test::flats_csv(120, 1));
  const std::string outcome =
      shell("cat flats.csv | " + std::string(KORE_COMMAND) + " compare - -t rent --features size,city").out;
  EXPECT_SAYS(outcome, "KORE default");
  EXPECT_SAYS(outcome, "KORE paper");
}

TEST_F(CompareTest, RefusesCategoriesTooLargeForThePapersFamilies) {
  const auto outcome =
      run({"compare", "SELECT 'l' || (i % 900) AS code, i / 2000 AS x, sin(i) AS y FROM range(2000) t(i)",
           "--target", "y"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "The published method has 901 features here");
}

TEST_F(CompareTest, TakesCategoriesByTheirLevels) {
  folder.write("flats.csv", test::flats_csv(300, 1));
  const auto rows = by_method(
      kore({"compare", "flats.csv", "--target", "rent", "--features", "city,size", "--json"}).json());
  for (const auto& [method, row] : rows) EXPECT_TRUE(row.at("score").is_number()) << method;
  EXPECT_SAYS(kore({"compare", "flats.csv", "--target", "rent", "--features", "city,size"}).out,
              "All but KORE default choose from the paper's structures, up to 2,500 columns.");
}

TEST_F(CompareTest, RefusesATableThatDoesNotFitIntoMemory) {
  const auto outcome = run({"compare", "SELECT range / 1e5 AS x, sin(range / 1e4) AS y FROM range(1100000)",
                            "--target", "y", "--memory-limit", "32MB"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "--memory-limit");
  EXPECT_EQ(outcome.out, "");
}

TEST_F(CompareTest, RefusesFoldsThatCannotBe) {
  test::write_rows(folder.path("rows.csv"), test::made_up_rows(150, 2, 2));
  for (const char* folds : {"1", "0", "-3", "151"}) {
    const auto outcome = run({"compare", "rows.csv", "--target", "y", std::string("--folds=") + folds});
    EXPECT_EQ(outcome.status, 2) << folds;
    EXPECT_EQ(outcome.out, "") << folds;
    EXPECT_EQ(outcome.err.substr(0, 6), "kore: ") << folds;
  }
}

}  // namespace
}  // namespace kore
