#include "report/term_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace kore::report {
namespace {

DrawnCurve curve() {
  return {"age",      "height",    Units::numbers, {0, 1, 2},
          {-1, 0, 3}, {-2, -1, 2}, {0, 1, 4},      {{0, 1, 2}, {5, 7}}};
}

DrawnSurface surface() {
  DrawnSurface drawn{{"a", Units::numbers, {0, 1, 2, 3, 4, 5, 6}, {}},
                     {"b", Units::numbers, {0, 1, 2, 3, 4, 5, 6}, {}},
                     "y",
                     {},
                     {}};
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) drawn.values.push_back((i - 3) * (j - 3));
  return drawn;
}

/// All specifications of layers, also of layers within layers.
void collect(const Json& spec, std::vector<Json>& layers) {
  if (!spec.contains("layer")) {
    layers.push_back(spec);
    return;
  }
  for (const Json& each : spec["layer"]) collect(each, layers);
}

std::set<std::string> marks(const Json& spec) {
  std::vector<Json> layers;
  collect(spec, layers);
  std::set<std::string> types;
  for (const Json& each : layers) types.insert(each["mark"]["type"].get<std::string>());
  return types;
}

TEST(CurveChart, HasItsBandItsRowsAndZero) {
  const Json chart = curve_chart(curve());
  EXPECT_EQ(marks(chart), (std::set<std::string>{"area", "bar", "line", "rule"}));
  EXPECT_EQ(chart["data"]["values"][2], (Json{{"x", 2}, {"effect", 3}, {"lower", 2}, {"upper", 4}}));
  EXPECT_EQ(chart["layer"][0]["data"]["values"][1]["rows"], 7);
  EXPECT_EQ(chart["resolve"]["scale"]["y"], "independent") << "rows are not counted in units of the effect";
}

TEST(CurveChart, HasADotForEachValueWithAnEffectOfItsOwn) {
  DrawnCurve drawn = curve();
  drawn.value_places = {0.5, 1.5};
  drawn.value_effects = {-6, 2};
  std::vector<Json> layers;
  collect(curve_chart(drawn), layers);
  const auto dots =
      std::ranges::find_if(layers, [](const Json& each) { return each["mark"]["type"] == "point"; });
  ASSERT_NE(dots, layers.end());
  EXPECT_EQ((*dots)["data"]["values"], (Json{{{"x", 0.5}, {"effect", -6}}, {{"x", 1.5}, {"effect", 2}}}));
}

TEST(SurfaceChart, HasItsBandInTheHintWhereItIsKnown) {
  DrawnSurface drawn = surface();
  const auto hints = [](const Json& chart) { return chart["layer"][0]["encoding"]["tooltip"].size(); };
  const std::size_t without = hints(surface_chart(drawn));
  drawn.reach.assign(drawn.values.size(), 0.25);
  const Json chart = surface_chart(drawn);
  EXPECT_EQ(chart["data"]["values"][5]["r"], 0.25);
  EXPECT_EQ(hints(chart), without + 1);
}

TEST(CurveChart, HasNeitherWhereNeitherIsKnown) {
  DrawnCurve bare = curve();
  bare.lower.clear();
  bare.upper.clear();
  bare.data = {};
  EXPECT_EQ(marks(curve_chart(bare)), (std::set<std::string>{"line", "rule"}));
}

TEST(CurveChart, DoesNotMakeMuchOfNextToNothing) {
  DrawnCurve small = curve();
  small.least_span = 60;
  std::vector<Json> layers;
  collect(curve_chart(small), layers);
  const Json domain = layers[2]["encoding"]["y"]["scale"]["domain"];
  EXPECT_DOUBLE_EQ(domain[1].get<double>() - domain[0].get<double>(), 60);
}

TEST(CurveChart, ShowsDaysAsDates) {
  DrawnCurve dated = curve();
  dated.units = Units::days;
  const Json chart = curve_chart(dated);
  EXPECT_EQ(chart["data"]["values"][1]["x"], 86'400'000.0);
  EXPECT_EQ(chart["layer"][0]["encoding"]["x"]["type"], "temporal");
}

/// Long names of the same beginning.
std::vector<std::string> look_alikes() {
  const std::string same = "a flat in the old part of the town, on the second floor, with a window to ";
  return {same + "the street", same + "the garden"};
}

TEST(SurfaceChart, HasItsSignsAtLevelsToo) {
  DrawnSurface drawn{{"x", Units::numbers, {0, 1, 2}, {}},
                     {"town", Units::numbers, {}, {"a", "b", "c", "d", "e", "f", "g"}},
                     "y",
                     {},
                     {}};
  for (int i = 0; i < 21; ++i) drawn.values.push_back(i - 10);
  const Json layers = surface_chart(drawn)["layer"];
  const auto signs =
      std::ranges::find_if(layers, [](const Json& each) { return each["mark"]["type"] == "text"; });
  ASSERT_NE(signs, layers.end());
  EXPECT_EQ((*signs)["data"]["values"],
            (Json{{{"x", 0.0}, {"y", "a"}, {"sign", "−"}}, {{"x", 2.0}, {"y", "g"}, {"sign", "+"}}}));
}

TEST(LevelsChart, KeepsLongNamesApart) {
  const auto names = look_alikes();
  const Json rows =
      levels_chart({"flat", "rent", false, {{names[0], 1, 0, 0}, {names[1], -1, 0, 0}}})["data"]["values"];
  EXPECT_NE(rows[0]["level"], rows[1]["level"]);
}

TEST(LinesChart, KeepsLongNamesApart) {
  DrawnSurface drawn{
      {"x", Units::numbers, {0, 1, 2}, {}}, {"flat", Units::numbers, {}, look_alikes()}, "y", {}, {}};
  drawn.values = {1, 2, 3, 4, 5, 6};
  const Json rows = lines_chart(drawn)["data"]["values"];
  EXPECT_NE(rows[0]["level"], rows[1]["level"]);
  EXPECT_EQ(rows[0]["level"], rows[2]["level"]);
  const Json fields = surface_chart(drawn)["data"]["values"];
  EXPECT_NE(fields[0]["y"], fields[1]["y"]);
}

TEST(Years, HaveNoCommasOnAxesAndUnderThePointer) {
  DrawnCurve years = curve();
  const auto hints = [](const DrawnCurve& drawn) {
    std::vector<Json> layers;
    collect(curve_chart(drawn), layers);
    std::vector<std::string> formats;
    for (const Json& each : layers)
      for (const Json& hint : each["encoding"].value("tooltip", Json::array()))
        if (hint["field"] == "x" || hint["field"] == "x_end") formats.push_back(hint["format"]);
    return formats;
  };
  EXPECT_EQ(hints(years), (std::vector<std::string>{",.4~r", ",.4~r", ",.4~r"}));
  years.years = true;
  EXPECT_EQ(hints(years), (std::vector<std::string>{".1~f", ".1~f", ".1~f"}));
  DrawnSurface drawn = surface();
  drawn.x.years = true;
  const Json chart = surface_chart(drawn);
  EXPECT_EQ(chart["layer"][0]["encoding"]["x"]["axis"]["format"], "d");
  EXPECT_FALSE(chart["layer"][0]["encoding"]["y"]["axis"].contains("format"));
  EXPECT_EQ(chart["layer"][0]["encoding"]["tooltip"][0]["format"], ".1~f");
  EXPECT_EQ(chart["layer"][0]["encoding"]["tooltip"][1]["format"], ",.4~r");
  drawn.y = {"level", Units::numbers, {}, {"a", "b", "c", "d", "e", "f", "g"}};
  EXPECT_EQ(lines_chart(drawn)["layer"].back()["encoding"]["x"]["axis"]["format"], "d");
}

TEST(LevelsChart, PutsTheLargestEffectOnTop) {
  const Json chart = levels_chart(
      {"town", "rent", true, {{"Aachen", -1, -2, 0, 10}, {"Bonn", 4, 3, 5, 20}, {"<b>", 0, 0, 0, 1}}});
  const Json& rows = chart["data"]["values"];
  EXPECT_EQ(rows[0]["level"], "Bonn");
  EXPECT_EQ(rows[0]["upper"], 5);
  EXPECT_EQ(rows[0]["rows"], 20);
  EXPECT_EQ(rows[2]["level"], "Aachen");
  EXPECT_EQ(chart["layer"][0]["encoding"]["y"]["sort"], nullptr);
}

TEST(LevelsChart, OfVeryManyLevelsShowsBothEnds) {
  DrawnLevels drawn{"town", "rent", false, {}};
  for (int i = 0; i < 300; ++i) drawn.levels.push_back({std::to_string(i), static_cast<double>(i)});
  const Json rows = levels_chart(drawn)["data"]["values"];
  EXPECT_EQ(rows.size(), 60U);
  EXPECT_EQ(rows.front()["level"], "299");
  EXPECT_EQ(rows.back()["level"], "0");
}

TEST(SurfaceChart, CoversItsRangeWithoutGaps) {
  const Json rows = surface_chart(surface())["data"]["values"];
  ASSERT_EQ(rows.size(), 49U);
  double area = 0;
  for (const Json& row : rows)
    area +=
        (row["X"].get<double>() - row["x"].get<double>()) * (row["Y"].get<double>() - row["y"].get<double>());
  EXPECT_DOUBLE_EQ(area, 36);
  EXPECT_EQ(rows[1]["e"], 6) << "x = 0, y = 1";
}

TEST(SurfaceChart, ColoursStepEvenlyAroundZeroAsFarAsTheValuesReach) {
  const std::vector<double> limits = heat_limits(surface().values);
  ASSERT_EQ(limits.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_DOUBLE_EQ(limits[i], -limits[7 - i]);
  EXPECT_LT(limits[7], 9) << "the outermost colour occurs";
  const Json colour = surface_chart(surface())["layer"][0]["encoding"]["color"];
  EXPECT_EQ(colour["scale"]["range"].size(), 9U);
}

TEST(SurfaceChart, LinesLieWhereTheColoursChange) {
  const Json lines = surface_chart(surface())["layer"][1]["data"]["values"];
  const std::vector<double> limits = heat_limits(surface().values);
  for (const Json& line : lines) {
    // On the sides of a square the product is linear, so that interpolated ends are exact.
    const double value = (line["x"].get<double>() - 3) * (line["y"].get<double>() - 3);
    const double nearest =
        *std::ranges::min_element(limits, {}, [&](double l) { return std::abs(l - value); });
    EXPECT_NEAR(value, nearest, 1e-3);
  }
}

TEST(SurfaceChart, IsFaintWhereNoRowIsNear) {
  DrawnSurface drawn = surface();
  drawn.rows.assign(49, 0);
  drawn.rows[0] = 5;  // at one corner
  const Json chart = surface_chart(drawn);
  const Json rows = chart["data"]["values"];
  EXPECT_EQ(rows[0]["n"], "3+");
  EXPECT_EQ(rows[2 * 7 + 2]["n"], "3+") << "within reach";
  EXPECT_EQ(rows[3 * 7]["n"], "0");
  EXPECT_TRUE(chart["layer"][0]["encoding"].contains("opacity"));
  EXPECT_FALSE(surface_chart(surface())["layer"][0]["encoding"].contains("opacity"));
}

TEST(SurfaceChart, NamesTheLevelsOfACategory) {
  const DrawnSurface drawn{{"town", Units::numbers, {0, 1}, {"Aachen", "Bonn"}},
                           {"size", Units::numbers, {0, 10, 20}, {}},
                           "rent",
                           {1, 2, 3, -1, -2, -3},
                           {}};
  const Json chart = surface_chart(drawn);
  EXPECT_EQ(chart["data"]["values"][3]["x"], "Bonn");
  EXPECT_EQ(marks(chart), (std::set<std::string>{"rect", "text"})) << "there are no lines between levels";
}

}  // namespace
}  // namespace kore::report
