// Real tables in both profiles: nothing crashes and every number is one. A thousand rows of each, and two
// whole ones; with KORE_LONG_TESTS=1 (`make test-long`) all are whole, which takes minutes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "cli/run_command.hpp"
#include "cli/study.hpp"

namespace kore {
namespace {

using nlohmann::json;

class RealDataTest : public test::CommandTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    if (!test::has_shared_data()) GTEST_SKIP() << "the real data sets are not on this machine";
  }
};

/// JSON has no way to write a number that is not finite but null.
void expect_numbers(const json& value, const std::string& where) {
  EXPECT_FALSE(value.is_null()) << where;
  EXPECT_TRUE(!value.is_number_float() || std::isfinite(value.get<double>())) << where;
  if (value.is_structured())
    for (const auto& [key, inner] : value.items()) expect_numbers(inner, where + "/" + key);
}

/// The file, or a query for at most 1,500 of its rows: every so-and-so-manieth, because some tables are
/// sorted.
std::string table_of(const std::string& name) {
  // More rows than are kept for the choice of a structure (5,000), and few columns.
  static const std::set<std::string> always_whole{"combined_cycle_power_plant", "cps88wages"};
  const std::string file = test::study_file(name);
  if (always_whole.contains(name) || std::getenv("KORE_LONG_TESTS") != nullptr) return file;
  return "SELECT * EXCLUDE (row_, rows_) FROM (SELECT *, row_number() OVER () AS row_, count(*) OVER () AS "
         "rows_ FROM '" +
         file + "') WHERE row_ % (1 + (rows_ - 1) // 1500) = 0";
}

/// Shares add up to 100 %, and interactions do not take back from each other: none has a share below -2 %.
void expect_shares(const json& fit) {
  const json& effects = fit.at("purified").is_null() ? fit.at("effects") : fit.at("purified").at("effects");
  if (effects.empty()) return;  // the mean
  double total = 0;
  double most = 0;
  for (const json& effect : effects) {
    const double share = effect.at("covariance_share");
    total += share;
    most = std::max(most, std::abs(share));
    if (effect.at("features").size() > 1) {
      EXPECT_GT(share, -0.02) << effect.at("features").dump();
    }
  }
  if (most == 0) return;  // every effect is shrunk to nothing
  EXPECT_NEAR(total, 1, 1e-6);
}

TEST_P(RealDataTest, IsFittedAndPredicted) {
  const std::string file = table_of(GetParam());
  std::string categorical;
  for (const std::string& name : test::categorical_columns(GetParam()))
    categorical += (categorical.empty() ? "" : ",") + name;
  for (const std::string profile : {"default", "paper"}) {
    SCOPED_TRACE(profile);
    Arguments arguments{"fit",    file, "--target",  test::study_target(GetParam()), "--profile", profile,
                        "--json", "-o", "model.kore"};
    if (!categorical.empty()) arguments.insert(arguments.end(), {"--categorical", categorical});
    const json fit = kore(arguments, 280).json();
    EXPECT_TRUE(fit.at("loo").is_number_float());
    for (const auto& [name, family] : fit.at("families").items())
      if (!family.at("skipped").get<bool>()) expect_numbers(family, name);
    expect_numbers(fit.at("features"), "features");
    if (profile == "default") expect_shares(fit);
    std::printf("%-28s %-8s n %6d  %-8s G %2d  R2 %.4f  %.2f s\n", GetParam().c_str(), profile.c_str(),
                fit.at("n").get<int>(), fit.at("structure").get<std::string>().c_str(),
                fit.at("G").get<int>(), fit.at("r2_loo").get<double>(), fit.at("seconds").get<double>());
    const std::string out = kore({"predict", "model.kore", file, "--interval", "0.9"}).out;
    for (const char* column : {"prediction", "lower", "upper"})
      for (const double value : test::csv_numbers(out, column)) ASSERT_TRUE(std::isfinite(value)) << column;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, RealDataTest, testing::ValuesIn(test::shared_sets),
                         [](const auto& test_case) { return test_case.param; });

}  // namespace
}  // namespace kore
