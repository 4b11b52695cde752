// `--family`, `--positive` and `--exposure`: yes and no, counts, rates and amounts through the command.
#include <fmt/format.h>

#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "support/family_rows.hpp"

namespace kore {
namespace {

using nlohmann::json;

/// Rows of all families at once: `bought` is yes or no, `claims` are counts that grow with `years`.
std::string customers(std::size_t count) {
  test::Rows rows = test::made_up_rows(count, 3, 91);
  test::Uniform uniform(92);
  std::string text = "age,income,other,years,bought,code,claims,cost\n";
  for (std::size_t r = 0; r < count; ++r) {
    const double eta = test::true_predictor(rows, r);
    const double years = uniform.between(0.2, 3);
    const bool yes = test::draw("binomial", uniform, eta) > 0;
    text +=
        fmt::format("{},{},{},{},{},{},{},{}\n", rows.at(r, 0), rows.at(r, 1), rows.at(r, 2), years,
                    yes ? "gold" : "basic", yes ? 2 : 1, test::poisson_draw(uniform, years * std::exp(eta)),
                    test::gamma_draw(uniform, std::exp(eta)));
  }
  return text;
}

class FamiliesTest : public test::CommandTest {
 protected:
  void SetUp() override { folder.write("c.csv", customers(500)); }

  json fitted(const std::string& target, std::vector<std::string> more) const {
    std::vector<std::string> arguments{"fit",   "c.csv", "--target", target, "--features", "age,income,other",
                                       "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kore(arguments).json();
  }
  std::string refused(const std::string& target, std::vector<std::string> more) const {
    std::vector<std::string> arguments{"fit", "c.csv", "--target", target, "--features", "age,income,other"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << shown(arguments);
    return outcome.err;
  }
};

TEST_F(FamiliesTest, ATargetOfTwoTextsIsYesOrNo) {
  const json found = fitted("bought", {"-o", "m.kore"});
  EXPECT_EQ(found.at("family"), "binomial");
  EXPECT_EQ(found.at("target_levels"), (json{"basic", "gold"}));
  const json& accuracy = found.at("accuracy").at("family");
  EXPECT_GT(accuracy.at("auc").get<double>(), 0.7);
  EXPECT_GT(accuracy.at("deviance_explained").get<double>(), 0.1);
  const std::string text = kore({"info", "m.kore"}).out;
  EXPECT_SAYS(text, "probabilities of gold");
  EXPECT_SAYS(text, "AUC 0.");
  for (const double p : test::csv_numbers(kore({"predict", "m.kore", "c.csv"}).out, "prediction")) {
    EXPECT_GT(p, 0);
    EXPECT_LT(p, 1);
  }
  const std::string banded = kore({"predict", "m.kore", "c.csv", "--interval", "0.9"}).out;
  const auto lower = test::csv_numbers(banded, "lower");
  const auto middle = test::csv_numbers(banded, "prediction");
  const auto upper = test::csv_numbers(banded, "upper");
  for (std::size_t r = 0; r < middle.size(); ++r) {
    EXPECT_GT(lower[r], 0);
    EXPECT_LT(lower[r], middle[r]);
    EXPECT_GT(upper[r], middle[r]);
    EXPECT_LT(upper[r], 1);
  }
  EXPECT_SAYS(run({"predict", "m.kore", "c.csv", "--interval", "1.5"}).err, "between 0 and 1");
}

TEST_F(FamiliesTest, TheOtherValueMayBeTheOneThatCounts) {
  kore({"fit", "c.csv", "--target", "bought", "--features", "age,income", "-o", "gold.kore"});
  kore({"fit", "c.csv", "--target", "bought", "--features", "age,income", "--positive", "basic", "-o",
        "basic.kore"});
  const auto gold = test::csv_numbers(kore({"predict", "gold.kore", "c.csv"}).out, "prediction");
  const auto basic = test::csv_numbers(kore({"predict", "basic.kore", "c.csv"}).out, "prediction");
  for (std::size_t r = 0; r < gold.size(); ++r) EXPECT_NEAR(gold[r] + basic[r], 1, 1e-6);
  folder.write("yes.csv", "x,y\n1,yes\n2,no\n3,yes\n4,no\n5,no\n6,yes\n");
  const json yes = kore({"fit", "yes.csv", "--target", "y", "--positive", "no", "--json"}).json();
  EXPECT_EQ(yes.at("target_levels"), (json{"true", "false"})) << "DuckDB reads yes and no as booleans";
  EXPECT_SAYS(yes.at("notes").dump(), "'y' is yes or no: no counts as 1 and yes as 0.");
  EXPECT_SAYS(yes.at("notes").dump(), "probabilities of no.");
  EXPECT_SAYS(kore({"fit", "yes.csv", "--target", "y", "--positive", "no"}).out, "probabilities of no;");
  const json usual = kore({"fit", "yes.csv", "--target", "y", "--json"}).json();
  EXPECT_SAYS(usual.at("notes").dump(), "yes counts as 1 and no as 0.");
  const json coded = fitted("code", {"--positive", "2"});
  EXPECT_EQ(coded.at("family"), "binomial");
  EXPECT_EQ(coded.at("target_levels"), (json{"1", "2"}));
}

TEST_F(FamiliesTest, CountsAreOfferedAndFittedWhereAskedFor) {
  const json plain = fitted("claims", {});
  EXPECT_EQ(plain.at("family"), "normal");
  EXPECT_SAYS(plain.at("notes").dump(), "may be counts");
  const json counts = fitted("claims", {"--family", "poisson", "-o", "m.kore"});
  EXPECT_EQ(counts.at("family"), "poisson");
  const std::string out = kore({"predict", "m.kore", "c.csv", "--interval", "0.9"}).out;
  const auto lower = test::csv_numbers(out, "lower");
  const auto upper = test::csv_numbers(out, "upper");
  for (std::size_t r = 0; r < lower.size(); ++r) {
    EXPECT_GE(lower[r], 0);
    EXPECT_EQ(upper[r], std::floor(upper[r])) << "a count";
    EXPECT_LE(lower[r], upper[r]);
  }
  EXPECT_GT(fitted("claims", {"--family", "negative_binomial"}).at("family_parameter").get<double>(), 0);
}

TEST_F(FamiliesTest, ExposuresMakeRatesAndPredictionsCountsAgain) {
  const json found = fitted("claims", {"--exposure", "years", "-o", "m.kore"});
  EXPECT_EQ(found.at("family"), "poisson");
  EXPECT_EQ(found.at("exposure"), "years");
  EXPECT_LT(found.at("overdispersion").get<double>(), 1.3);
  folder.write("rates.csv", "age,income,other\n0.3,0.6,0.5\n");
  folder.write("years.csv", "age,income,other,years\n0.3,0.6,0.5,4\n");
  const auto rates = run({"predict", "m.kore", "rates.csv"});
  EXPECT_SAYS(rates.err, "rates per unit of 'years'");
  const double rate = test::csv_numbers(rates.out, "prediction")[0];
  const double four = test::csv_numbers(kore({"predict", "m.kore", "years.csv"}).out, "prediction")[0];
  EXPECT_NEAR(four, 4 * rate, 1e-9 * four);
  EXPECT_NEAR(rate, std::exp(-0.2 + 1.5 * std::sin(1.5) + 0.2), 0.4 * rate);
}

TEST_F(FamiliesTest, AmountsHaveEffectsThatMultiply) {
  const json found = fitted("cost", {"--family", "gamma", "-o", "m.kore"});
  EXPECT_NEAR(found.at("accuracy").at("family").at("dispersion").get<double>(), 1.0 / 3, 0.15);
  EXPECT_SAYS(kore({"info", "m.kore"}).out, "they multiply it");
  kore({"fit", "c.csv", "--target", "cost", "--family", "gamma", "--quiet", "--report", "r.html"});
  EXPECT_TRUE(folder.has("r.html"));
}

TEST_F(FamiliesTest, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_SAYS(refused("claims", {"--family", "binomial"}), "two");
  EXPECT_SAYS(refused("claims", {"--family", "gamma"}), "positive");
  EXPECT_SAYS(refused("claims", {"--family", "poisson", "--profile", "paper"}), "default profile");
  EXPECT_SAYS(refused("claims", {"--family", "cauchy"}), "--family");
  EXPECT_SAYS(refused("claims", {"--family", "pairwise"}), "--structure");
  EXPECT_SAYS(refused("bought", {"--positive", "silver"}), "'silver'");
  EXPECT_SAYS(refused("cost", {"--family", "gamma", "--exposure", "years"}), "poisson");
  EXPECT_SAYS(refused("claims", {"--exposure", "years", "--weights", "years"}), "years");
  folder.write("zero.csv", "x,years,claims\n1,0,1\n2,1,0\n3,2,4\n");
  EXPECT_SAYS(run({"fit", "zero.csv", "--target", "claims", "--exposure", "years"}).err, "down to 0");
}

class OffsetTest : public test::CommandTest {
 protected:
  /// Columns with the logarithm of the exposure, what gamma costs are without it, and a plain sum.
  void SetUp() override {
    folder.write("c.csv", customers(500));
    const std::string columns =
        "SELECT *, ln(years) AS log_years, cost * years AS total, cost / 2 AS half, age + ln(years) AS sum "
        "FROM "
        "'c.csv'";
    query = columns;
  }
  std::vector<double> predicted(const std::string& target, const std::vector<std::string>& more,
                                const std::vector<std::string>& how = {}) const {
    std::vector<std::string> arguments{"fit", query, "-t",    target, "--features", "age,income,other",
                                       "-q",  "-o",  "m.kore"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    kore(arguments);
    std::vector<std::string> predict{"predict", "m.kore", query};
    predict.insert(predict.end(), how.begin(), how.end());
    return test::csv_numbers(kore(predict).out, how.empty() ? "prediction" : "upper");
  }
  std::string query;
};

TEST_F(OffsetTest, OfCountsIsTheLogarithmOfAnExposure) {
  const auto offset = predicted("claims", {"--family", "poisson", "--offset", "log_years"});
  const auto exposure = predicted("claims", {"--exposure", "years"});
  for (std::size_t r = 0; r < offset.size(); ++r)
    EXPECT_NEAR(offset[r], exposure[r], 1e-9 * (1 + exposure[r]));
}

TEST_F(OffsetTest, OfAmountsIsTheLogarithmOfAFactor) {
  const auto total = predicted("total", {"--family", "gamma", "--offset", "log_years"});
  const auto cost = predicted("cost", {"--family", "gamma"});
  const auto years = test::csv_numbers(kore({"predict", "m.kore", query, "--keep", "years"}).out, "years");
  for (std::size_t r = 0; r < cost.size(); ++r)
    EXPECT_NEAR(total[r], years[r] * cost[r], 1e-6 * (1 + total[r]));
  const auto upper =
      predicted("total", {"--family", "gamma", "--offset", "log_years"}, {"--interval", "0.9"});
  for (std::size_t r = 0; r < cost.size(); ++r) EXPECT_GT(upper[r], total[r]);
}

TEST_F(OffsetTest, OfNumbersIsAPartOfTheTarget) {
  const auto sum = predicted("sum", {"--offset", "log_years"});
  const std::string kept = kore({"predict", "m.kore", query, "--keep", "sum"}).out;
  const auto truth = test::csv_numbers(kept, "sum");
  for (std::size_t r = 0; r < sum.size(); ++r) EXPECT_NEAR(sum[r], truth[r], 1e-3) << "what is left is age";
  EXPECT_EQ(kore({"info", "m.kore", "--json"}).json().at("offset"), "log_years");
  const auto outcome = run({"predict", "m.kore", "c.csv"});
  EXPECT_SAYS(outcome.err, "those of an offset of 0");
  EXPECT_SAYS(kore({"export", "m.kore", "--to", "sql"}).out, "\"log_years\"");
}

TEST_F(OffsetTest, IsRefusedWhereItCannotBe) {
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"fit", query, "--features", "age,income"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << shown(arguments);
    return outcome.err;
  };
  EXPECT_SAYS(refused({"-t", "bought", "--offset", "log_years"}), "binomial");
  EXPECT_SAYS(refused({"-t", "claims", "--family", "negative_binomial", "--offset", "log_years"}),
              "not with negative_binomial");
  EXPECT_SAYS(refused({"-t", "claims", "--exposure", "years", "--offset", "log_years"}), "not both");
  EXPECT_SAYS(refused({"-t", "cost", "--offset", "bought"}), "The offset 'bought' must be a number");
  EXPECT_SAYS(refused({"-t", "cost", "--offset", "age"}), "'age'");
  query = "SELECT *, CASE WHEN years < 1 THEN NULL ELSE 1 END AS gap FROM 'c.csv'";
  EXPECT_SAYS(refused({"-t", "cost", "--offset", "gap"}), "no finite value");
}

}  // namespace
}  // namespace kore
