// What charts show of features with a few far values, and how numbers are written.
#include "report/drawn_ranges.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/numbers.hpp"
#include "report/term_chart.hpp"

namespace kore::report {
namespace {

std::vector<double> mostly_small() {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(3 + i / 200.0);
  values.push_back(58.9);
  return values;
}

TEST(SampleOfAFeature, KnowsWhereNearlyAllRowsLie) {
  const FeatureSample sample = sample_of(mostly_small());
  EXPECT_NEAR(sample.central.lowest, 3.025, 0.01);
  EXPECT_NEAR(sample.central.highest, 7.97, 0.01);
  EXPECT_NEAR(sample.far_share, 1.0 / 1001, 1e-12) << "58.9 alone is far from the middle half";
  EXPECT_FALSE(sample.whole);
  EXPECT_TRUE(sample.values.empty());
}

TEST(SampleOfAFeature, ListsFewWholeNumbers) {
  const FeatureSample sample = sample_of({2, 0, 1, 1, 0, 2, 2});
  EXPECT_TRUE(sample.whole);
  EXPECT_EQ(sample.values, (std::vector<double>{0, 1, 2}));
  EXPECT_TRUE(sample_of({0, 0.5, 1}).values.empty());
}

TEST(DrawnRange, LeavesFarValuesOut) {
  Observed seen;
  seen.samples = {sample_of(mostly_small())};
  const Feature feature{"y", {3, 58.9}};
  EXPECT_LT(drawn_range(&seen, feature, 0).highest, 8);
  const Feature even{"x", {3, 8}};
  EXPECT_EQ(drawn_range(&seen, even, 0).highest, 8) << "nearly the whole range is all of it";
  Feature line = feature;
  line.kind = FeatureKind::linear;
  EXPECT_EQ(drawn_range(&seen, line, 0).highest, 58.9);
}

TEST(CurveChart, ShowsWhereRowsLieAndTheRestOnDemand) {
  DrawnCurve drawn{"y", "price", Units::numbers, {3, 5, 8, 58.9}, {-1, 0, 1, -3000}, {}, {}, {}};
  drawn.central = Range{3, 8};
  EXPECT_EQ(effects_in_view(drawn), (std::vector<double>{-1, 0, 1}));
  const Json chart = curve_chart(drawn);
  EXPECT_EQ(chart["params"][0]["bind"]["input"], "checkbox");
  const Json& curve = chart["layer"][0]["layer"][1]["encoding"];
  EXPECT_EQ(curve["x"]["scale"]["domainMax"]["expr"], "whole ? 58.9 : 8.0");
  const std::string lowest = curve["y"]["scale"]["domainMin"]["expr"];
  EXPECT_NE(lowest.find("whole ? -3"), std::string::npos) << lowest;
  EXPECT_NE(lowest.find(": -1"), std::string::npos) << lowest;
}

TEST(CurveChart, HasPointsForAFewWholeNumbers) {
  DrawnCurve drawn{"children", "cost", Units::numbers, {0, 1, 2}, {-1, 0, 1}, {-2, -1, 0}, {0, 1, 2}, {}};
  drawn.single = true;
  const Json layers = curve_chart(drawn)["layer"][0]["layer"];
  EXPECT_EQ(layers[1]["mark"]["type"], "rule") << "its band";
  EXPECT_EQ(layers[3]["mark"]["type"], "point");
  EXPECT_EQ(layers[3]["encoding"]["x"]["axis"]["values"], (Json{0, 1, 2}));
}

TEST(CurveChart, WritesYearsWithoutCommas) {
  DrawnCurve drawn{"year", "price", Units::numbers, {1990, 2000}, {0, 1}, {}, {}, {}};
  drawn.years = true;
  EXPECT_EQ(curve_chart(drawn)["layer"][0]["layer"][1]["encoding"]["x"]["axis"]["format"], "d");
}

TEST(LinesChart, HasALineForEachLevelThatIsFaintWithoutRows) {
  DrawnSurface drawn{{"size", Units::numbers, {0, 1, 2}, {}},
                     {"town", Units::numbers, {0, 1}, {"Bonn", "Köln"}},
                     "rent",
                     {},
                     {}};
  drawn.values = {1, 2, 3, 4, 5, 6};
  drawn.rows = {9, 9, 9, 0, 9, 0};
  drawn.reach = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  const Json chart = lines_chart(drawn);
  const Json& rows = chart["data"]["values"];
  EXPECT_EQ(rows[0]["level"], "Bonn");
  EXPECT_EQ(rows[0]["seen"], 1);
  EXPECT_EQ(rows[0]["upper"], 1.5);
  EXPECT_EQ(rows[1]["seen"], 2) << "near the nine rows of its level";
  drawn.rows = {9, 0, 9, 0, 9, 0};
  EXPECT_TRUE(lines_chart(drawn)["data"]["values"][1]["seen"].is_null());
}

TEST(PreciseNumbers, HaveTheDigitsThatTheErrorLeaves) {
  EXPECT_EQ(precise(16.2427, 2.666), "16.2");
  EXPECT_EQ(precise(123456.7, 2), "123,456.7");
  EXPECT_EQ(precise(13250, 512), "13,250");
  EXPECT_EQ(precise(13254, 512), "13,250");
  EXPECT_EQ(precise(-0.01, 2.666), "0.0") << "no minus before nothing";
  EXPECT_EQ(precise(0.123456, 0.002), "0.1235");
  EXPECT_EQ(precise(5, 0), "5") << "without an error, three digits";
}

TEST(TextWithoutFolders, KeepsTheNamesOfFiles) {
  EXPECT_EQ(without_folders("the file '/home/me/cars.csv'"), "the file 'cars.csv'");
  EXPECT_EQ(without_folders("the query \"FROM '../x/sales.parquet' WHERE a / b > 1\""),
            "the query \"FROM 'sales.parquet' WHERE a / b > 1\"");
  EXPECT_EQ(without_folders("the file 'cars.csv' and 'km/h'"), "the file 'cars.csv' and 'km/h'");
}

TEST(NamesThatObjectsInherit, AreMarkedInCharts) {
  EXPECT_NE(shortened("constructor"), "constructor");
  EXPECT_NE(shortened("__proto__"), "__proto__");
  EXPECT_EQ(shortened("construction"), "construction");
}

}  // namespace
}  // namespace kore::report
