#include "experiments/figures/figures.hpp"

#include <gtest/gtest.h>

#include <set>

#include "experiments/figures/rows.hpp"
#include "figures/made_up_results.hpp"

namespace kore::experiments {
namespace {

using report::Json;

const Json& rows(const Json& chart) { return chart["data"]["values"]; }
const Json& encoding(const Json& chart, std::size_t layer) { return chart["layer"][layer]["encoding"]; }
bool is_log(const Json& chart, std::size_t layer, const char* axis) {
  return encoding(chart, layer)[axis]["scale"].value("type", "") == "log";
}
Table summary(const Study& study, const Table& table, const std::string& file) {
  return summary_named(study.summarise(table), file);
}

TEST(CollapseChart, HasAPointForEveryDimensionAndDensityOnLogarithmicAxes) {
  const Json additive = collapse_chart(made_up_law(), "additive", -4.0 / 9);
  EXPECT_EQ(rows(additive).size(), 40U) << "four dimensions, ten densities";
  EXPECT_EQ(rows(collapse_chart(made_up_law(), "pairwise", -0.4)).size(), 32U);
  for (const std::size_t layer : {0, 1, 2}) {
    EXPECT_TRUE(is_log(additive, layer, "x"));
    EXPECT_TRUE(is_log(additive, layer, "y"));
  }
  EXPECT_EQ(encoding(additive, 2)["color"]["scale"]["domain"],
            Json({"d = 10", "d = 20", "d = 40", "d = 80"}));
}

TEST(CollapseChart, DrawsTheSlopeOfTheTheory) {
  const Json chart = collapse_chart(made_up_law(), "additive", -4.0 / 9);
  const Json& ends = chart["layer"][0]["data"]["values"];
  ASSERT_EQ(ends.size(), 2U);
  for (const Json& end : ends)
    EXPECT_NEAR(end["rmse"].get<double>(), power(end["density"], -4.0 / 9), 1e-12) << "the points lie on it";
}

TEST(RecoveryChart, HasABandBetweenTheQuartilesAndALineAtOne) {
  const Table sizes = summary(consistency_study(2), made_up_consistency(), "plugin_consistency_summary.csv");
  const Json chart = recovery_chart(sizes, "A");
  EXPECT_EQ(rows(chart).size(), 7U);
  EXPECT_EQ(encoding(chart, 0)["y"]["field"], "low");
  EXPECT_EQ(encoding(chart, 0)["y2"]["field"], "high");
  EXPECT_EQ(encoding(chart, 1)["y"]["datum"], 1);
  for (const Json& row : rows(chart)) {
    EXPECT_LT(row["low"], row["middle"]);
    EXPECT_LT(row["middle"], row["high"]);
  }
}

TEST(PlugInChart, MarksTheAnchoredOptimumAtEverySize) {
  const Table sizes = summary(consistency_study(2), made_up_consistency(), "plugin_consistency_summary.csv");
  const Json chart = plug_in_chart(sizes);
  EXPECT_EQ(rows(chart).size(), 7U);
  EXPECT_EQ(encoding(chart, 2)["y"]["field"], "target");
  EXPECT_EQ(chart["layer"][2]["mark"]["shape"], "diamond");
}

TEST(PlugInChart, HasNoBandWithASingleSeed) {
  const Table sizes = summary(consistency_study(1), made_up_consistency(1), "plugin_consistency_summary.csv");
  const Json drawn = Json::parse(plug_in_chart(sizes).dump());
  EXPECT_TRUE(rows(drawn)[0]["low"].is_null()) << "a deviation needs two";
  EXPECT_FALSE(rows(drawn)[0]["middle"].is_null());
}

TEST(FrontierCharts, CompareEveryTaskAndEverySelector) {
  const Study study = frontier_study(2);
  const Table table = made_up_selectors(study);
  const Table tasks = summary(study, table, "frontier_summary.csv");
  EXPECT_EQ(rows(cost_chart(tasks)).size(), 18U) << "six tasks, three prices";
  EXPECT_EQ(rows(cost_chart(tasks))[0]["fits"], 10);
  EXPECT_EQ(rows(task_ratio_chart(tasks)).size(), 6U);
  EXPECT_DOUBLE_EQ(rows(task_ratio_chart(tasks))[0]["ratio"], 10.0 / 11);
  EXPECT_EQ(rows(method_ratio_chart(summary(study, table, "frontier_method_summary.csv"))).size(), 5U);
}

TEST(BenchmarkCharts, ShowNineEquationsAndRankTwelve) {
  const Study study = benchmark_study(2);
  Table table = made_up_selectors(study);
  table.rows[0][table.position("kore_rmse")] = "10.0";  // the first equation: worst for KORE
  const Json forest = forest_chart(summary(study, table, "benchmark_summary.csv"));
  EXPECT_EQ(rows(forest).size(), 36U);
  EXPECT_EQ(rows(forest).back()["equation"], "Nguyen-1");
  EXPECT_TRUE(is_log(forest, 0, "x"));
  const Showing showing = show_benchmark(table, study.summarise(table));
  ASSERT_EQ(showing.figures[0].figure.panels.size(), 3U);
  EXPECT_EQ(rows(showing.figures[0].figure.panels[0].spec).size(), 9U);
  EXPECT_EQ(showing.tables[0].rows.size(), 12U);
}

TEST(DiscoveryChart, KeepsToOneThreshold) {
  const Json chart = discovery_chart(made_up_discovery(), "f1", 0.02);
  EXPECT_EQ(rows(chart).size(), 9U) << "three dimensions, three densities";
  EXPECT_EQ(encoding(chart, 1)["y"]["scale"]["domain"], Json({0, 1.05}));
}

TEST(RobustnessCharts, CallTheTrueGraphByItsName) {
  const Json chart = robustness_error_chart(made_up_robustness());
  std::map<std::string, int> series;
  for (const Json& row : rows(chart)) ++series[row["series"].get<std::string>()];
  EXPECT_EQ(series,
            (std::map<std::string, int>{{"KORE", 8}, {"CV", 6}, {"true pairs", 2}, {"pairs found", 2}}));
  EXPECT_EQ(rows(robustness_ratio_chart(made_up_robustness())).size(), 8U);
}

TEST(ScalingCharts, CountFitsAndTime) {
  const Json chart = speedup_chart(made_up_scaling());
  EXPECT_EQ(rows(chart).size(), 16U) << "two families, four dimensions, fits and time";
  EXPECT_EQ(rows(chart)[0]["speedup"], 7);
  EXPECT_EQ(rows(chart)[1]["speedup"], 10);
  EXPECT_EQ(rows(scaling_ratio_chart(made_up_scaling())).size(), 8U);
}

TEST(NoiseChart, HasAPointForEveryLevel) {
  const Table levels = summary(noise_study(2), made_up_noise(), "noise_sweep_summary.csv");
  EXPECT_EQ(rows(noise_chart(levels, "signal_score", 1)).size(), 8U);
  EXPECT_DOUBLE_EQ(rows(noise_chart(levels, "signal_score", 1))[0]["value"], 1.95);
}

TEST(DegreeChart, DrawsThePredictedExponentOfEveryDegree) {
  const Json chart = degree_chart(made_up_degree());
  EXPECT_EQ(rows(chart).size(), 21U) << "three degrees, seven densities";
  const Json& ends = chart["layer"][0]["data"]["values"];
  ASSERT_EQ(ends.size(), 6U);
  EXPECT_NEAR(ends[1]["G"].get<double>(), power(1920, 1.0 / 7), 1e-9) << "the points lie on the line";
  EXPECT_TRUE(is_log(chart, 1, "x"));
  EXPECT_TRUE(is_log(chart, 1, "y"));
}

TEST(ConcentrationChart, HasTheEnvelopeBesideThePoints) {
  const Json chart = concentration_chart(made_up_concentration(), "tau");
  EXPECT_EQ(rows(chart).size(), 6U);
  for (const Json& row : rows(chart))
    EXPECT_NEAR(row["envelope"].get<double>(), row["deviation"].get<double>(), 1e-12);
}

TEST(SolvedExample, HasItsOptimumInsideTheGridAndAllErrorsBesideIt) {
  const report::SolvedResolution solved = solved_example(1);
  EXPECT_TRUE(solved.selection.law.usable());
  EXPECT_FALSE(solved.selection.bridged);
  EXPECT_GT(solved.selection.plug_in, 2);
  EXPECT_LT(std::abs(solved.selection.plug_in - solved.selection.resolution), 1.5);
  EXPECT_LE(solved.selection.fits, 8);
  EXPECT_EQ(rows(report::measured_chart(solved)).size(), 20U);
  EXPECT_EQ(solving_figure(solved).panels.size(), 2U);
}

}  // namespace
}  // namespace kore::experiments
