#include "report/effect_chart.hpp"

#include <gtest/gtest.h>

namespace kore::report {
namespace {

DrawnEffect curve() { return {{"age"}, "height", 0.25, {{0, 1, 2}}, {-1, 0, 3}}; }

DrawnEffect surface() {
  return {{"a", "b"}, "", 0.5, {{0, 0, 1, 1, 2, 2}, {5, 9, 5, 9, 5, 9}}, {1, 2, 3, 4, 5, 6}};
}

TEST(EffectChart, DrawsEveryPointOfACurve) {
  const Json chart = effect_chart(curve());
  ASSERT_EQ(chart["data"]["values"].size(), 3U);
  EXPECT_EQ(chart["data"]["values"][2]["x"], 2);
  EXPECT_EQ(chart["data"]["values"][2]["effect"], 3);
  EXPECT_EQ(chart["layer"][1]["encoding"]["y"]["title"], "effect on height");
}

TEST(EffectChart, FieldsOfASurfaceCoverItsRangeWithoutGaps) {
  const Json rows = effect_chart(surface())["data"]["values"];
  ASSERT_EQ(rows.size(), 6U);
  double area = 0;
  for (const Json& row : rows)
    area += (row["x_end"].get<double>() - row["x"].get<double>()) *
            (row["y_end"].get<double>() - row["y"].get<double>());
  EXPECT_DOUBLE_EQ(area, 2.0 * 4.0);
  EXPECT_EQ(rows[3]["effect"], 4);  // x = 1, y = 9
  EXPECT_EQ(rows[3]["x"], 0.5);
  EXPECT_EQ(rows[3]["y"], 7);
}

TEST(EffectChart, IsDescribedInWords) {
  const Panel panel = effect_panel(curve());
  EXPECT_EQ(panel.title, "age (25.0 %)");
  EXPECT_EQ(panel.description, "The effect on height of age, between -1 and 3.");
}

TEST(EffectChart, OfATripleIsSurfacesAtValuesOfTheThirdFeature) {
  // a and b at 0 and 1, c at 4 and 7: the last coordinate is the fastest.
  const DrawnEffect triple{{"a", "b", "c"},
                           "height",
                           0.1,
                           {{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {4, 7, 4, 7, 4, 7, 4, 7}},
                           {1, -1, 2, -2, 3, -3, 5, -7}};
  const std::vector<Panel> panels = slice_panels(triple, {"4", "seven"});
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(panels[0].title, "a × b at c = 4 (10.0 %)");
  EXPECT_EQ(panels[1].description, "The effect on height of a × b at c = seven, between -7 and -1.");
  for (std::size_t slice = 0; slice < 2; ++slice) {
    const Json rows = panels[slice].spec["data"]["values"];
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[2]["effect"], slice == 0 ? 3 : -3);  // a = 1, b = 0
    const Json scale = panels[slice].spec["layer"][0]["encoding"]["color"]["scale"];
    EXPECT_EQ(scale["domain"], (Json{-7.0, 5.0})) << "one colour means one effect in all slices";
  }
}

TEST(EffectChart, OnItsOwnItNeedsNoVariablesOfAPage) {
  const Json chart = standalone({effect_panel(curve()), effect_panel(surface())}, 2);
  EXPECT_EQ(chart.dump().find("var(--"), std::string::npos);
  EXPECT_EQ(chart["concat"].size(), 2U);
  EXPECT_EQ(chart["concat"][0]["layer"][1]["mark"]["color"].get<std::string>().front(), '#');
}

}  // namespace
}  // namespace kore::report
