#include <gtest/gtest.h>

#include <cmath>

#include "experiments/claims.hpp"
#include "experiments/report.hpp"
#include "experiments/studies/method_summary.hpp"
#include "experiments/studies/studies.hpp"

namespace kore::experiments {
namespace {

const NamedTable& find(const std::vector<NamedTable>& tables, const std::string& file) {
  return *std::ranges::find(tables, file, &NamedTable::file);
}

TEST(MethodSummary, IsTheGeometricMeanOverTasksOfQuotientsOfMeans) {
  Table table;
  table.columns = {"task"};
  for (const char* method : {"kore", "cv", "gcv", "aic", "bic", "cp"})
    for (const char* what : {"_rmse", "_fits"}) table.columns.push_back(std::string(method) + what);
  table.rows = {row_of({"a", 1.0, 10, 2.0, 91, 4.0, 29, 2.0, 29, 2.0, 29, 2.0, 29}),
                row_of({"a", 3.0, 10, 2.0, 91, 4.0, 29, 2.0, 29, 2.0, 29, 2.0, 29}),
                row_of({"b", 8.0, 5, 2.0, 45, 2.0, 15, 2.0, 15, 2.0, 15, 1.0, 15})};
  const Table summary = method_summary(table, group_by(table, {"task"}));
  EXPECT_EQ(summary.text(0, "method"), "KORE");
  EXPECT_DOUBLE_EQ(summary.number(0, "gm_rmse_ratio_vs_cv"), 2) << "tasks: 1 and 4";
  EXPECT_DOUBLE_EQ(summary.number(0, "gm_fit_speedup_vs_cv"), std::sqrt(9.1 * 9));
  EXPECT_EQ(summary.text(1, "method"), "GCV");
  EXPECT_DOUBLE_EQ(summary.number(1, "gm_rmse_ratio_vs_cv"), std::sqrt(2.0));
  EXPECT_EQ(summary.text(4, "method"), "Cp");
  EXPECT_DOUBLE_EQ(summary.number(4, "gm_rmse_ratio_vs_cv"), std::sqrt(0.5));
}

TEST(NoiseSummary, IsAMeanPerLevel) {
  const Study study = noise_study(2);
  const Table table{study.column_names(),
                    {row_of({0, 10, 200, 0.05, 3.0, true, false, 5, 5, 0.3, 0.6, 0.5}),
                     row_of({1, 10, 200, 0.05, 5.0, true, true, 5, 4, 0.3, 0.6, 0.25}),
                     row_of({0, 10, 200, 0.1, 1.0, false, false, 5, 5, 0.3, 0.6, 1.0})}};
  const Table summary = find(study.summarise(table), "noise_sweep_summary.csv").table;
  EXPECT_EQ(summary.columns, (Row{"noise_frac", "use_rate", "signal_score", "bracketed_rate", "kore_fits",
                                  "ratio_kore_null"}));
  EXPECT_EQ(summary.rows, (std::vector<Row>{{"0.05", "0.5", "4.0", "1.0", "4.5", "0.375"},
                                            {"0.1", "0.0", "1.0", "0.0", "5.0", "1.0"}}));
}

TEST(FrontierSummary, TakesTheMostFrequentStructureAndTheDeviationOverSeeds) {
  const Study study = frontier_study(3);
  Table table{study.column_names(), {}};
  const auto add = [&](int seed, const char* structure, int resolution, double rmse) {
    Row row = row_of({"additive", 10, 120, 1200, seed});
    for (int method = 0; method < 6; ++method)
      for (const std::string& field : row_of({structure, resolution, 14, 0.5, rmse})) row.push_back(field);
    for (int method = 0; method < 6; ++method) row.emplace_back("1");
    table.rows.push_back(row);
  };
  add(0, "pairwise", 10, 1.0);
  add(1, "additive", 12, 2.0);
  add(2, "additive", 14, 6.0);
  const Table summary = find(study.summarise(table), "frontier_summary.csv").table;
  ASSERT_EQ(summary.rows.size(), 1U);
  EXPECT_EQ(summary.text(0, "kore_structure"), "additive");
  EXPECT_EQ(summary.text(0, "bic_G_mean"), "12.0");
  EXPECT_DOUBLE_EQ(summary.number(0, "cv_rmse_std"), std::sqrt(7.0));
  EXPECT_EQ(summary.text(0, "rmse_ratio_kore_cv"), "1.0");
}

TEST(DegreeSummary, IsTheSlopeOfTheLogarithms) {
  const Study study = degree_study(2);
  Table table{study.column_names(), {}};
  for (const int density : {30, 120, 480})
    for (const int seed : {0, 1})
      table.rows.push_back(row_of(
          {2, 3, 20, density, 20 * density, seed, std::pow(density, 0.25) * (seed == 0 ? 0.5 : 1.5), 4, 9}));
  const Table summary = find(study.summarise(table), "degree_ablation_summary.csv").table;
  ASSERT_EQ(summary.rows.size(), 1U);
  EXPECT_NEAR(summary.number(0, "predicted_g_exponent"), 1.0 / 7, 1e-15);
  EXPECT_NEAR(summary.number(0, "observed_g_exponent"), 0.25, 1e-14);
}

TEST(ConsistencyTable, IsAnchoredAtTheMedianOfTheLargestSize) {
  const Study study = consistency_study(3);
  Table table{study.column_names(), {}};
  const auto add = [&](int rows, int seed, double tau, double bias) {
    table.rows.push_back(
        row_of({20, rows, seed, 0.1, 0.1, tau, bias, 2 * tau, 3.0, 5, 8, 0.1, "", "", "", "", "", ""}));
  };
  add(300, 0, 0.01, 0.5);
  add(600, 0, 0.02, 0.1);
  add(600, 1, 0.03, 0.3);
  add(600, 2, 0.04, 0.2);
  study.derive(table);
  EXPECT_DOUBLE_EQ(table.number(0, "A_anchor"), 0.2);
  EXPECT_DOUBLE_EQ(table.number(0, "A_ratio"), 2.5);
  EXPECT_DOUBLE_EQ(table.number(0, "tau_target"), 0.01);
  EXPECT_DOUBLE_EQ(table.number(2, "tau_target"), 0.03);
  EXPECT_DOUBLE_EQ(table.number(2, "tau_ratio"), 2);
  // At the optimum the derivative of the risk vanishes: 8 A G^-9 = tau d / n.
  const double optimum = table.number(1, "G_bullet");
  EXPECT_NEAR(8 * 0.2 * std::pow(optimum, -9), 0.03 * 20 / 600, 1e-7);
  const auto risk = [](double g) { return 0.2 * std::pow(g, -8) + 0.03 * (1 + 20 * (g + 2)) / 600; };
  EXPECT_NEAR(table.number(1, "delta_proxy"), risk(3.0) - risk(optimum), 1e-12);
}

TEST(ConcentrationTable, HasTheCurveNearestInTheLogarithm) {
  const Study study = concentration_study(100);
  Table table{study.column_names(), {row_of({100, 2.0, 0.5, "", ""}), row_of({400, 0.5, 0.25, "", ""})}};
  study.derive(table);
  EXPECT_DOUBLE_EQ(table.number(0, "predicted_envelope_A"), std::sqrt(2.0)) << "c = sqrt(20 * 10) = 14.14";
  EXPECT_DOUBLE_EQ(table.number(1, "predicted_envelope_A"), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(table.number(1, "predicted_envelope_tau"), 0.25);
}

TEST(Claims, HoldIfTheRoundedNumbersAreEqual) {
  EXPECT_TRUE(*equals("", 0.995, 0.99539, 3).holds);
  EXPECT_FALSE(*equals("", 0.995, 0.9956, 3).holds);
  EXPECT_EQ(equals("", 8.1, 8.106, 1, "x").ours, "8.1x");
  const std::vector<double> values{6.1, 12.16, 8.0};
  EXPECT_EQ(spans("", 6.1, 12.2, values, 1).ours, "6.1 to 12.2");
  EXPECT_TRUE(*spans("", 6.1, 12.2, values, 1).holds);
  EXPECT_TRUE(*near("", -0.4, -0.44, 0.05, 3).holds);
  EXPECT_FALSE(*near("", -0.4, -0.46, 0.05, 3).holds);
  EXPECT_EQ(fixed(-0.0001, 2), "0.00");
  EXPECT_EQ(fixed(std::nan(""), 2), "undefined");
}

TEST(ReproductionPage, CountsClaimsThatHoldAndNumbersTheRemarks) {
  Study study;
  study.name = "one";
  study.title = "One study";
  study.file = "one.csv";
  study.claims = [](const Table&) {
    return std::vector<Claim>{{"first", "1", "1", true, ""},
                              {"second | third", "2", "3", false, "as in the file"},
                              {"silent", "not given", "4", std::nullopt, ""}};
  };
  const std::vector<StudyReport> reports{{study, {}, {}, "With 2 seeds."}};
  const std::string page = reproduction_page(reports);
  EXPECT_NE(page.find("1 of 2 claims hold"), std::string::npos) << page;
  EXPECT_NE(page.find("| second \\| third [1] | 2 | 3 | **no** |"), std::string::npos) << page;
  EXPECT_NE(page.find("- [1] as in the file"), std::string::npos);
  EXPECT_NE(page.find("With 2 seeds."), std::string::npos);
  EXPECT_EQ(page.find("published result files\n\n|"), std::string::npos) << "nothing was compared";
}

}  // namespace
}  // namespace kore::experiments
