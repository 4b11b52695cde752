#include "report/chart.hpp"

#include <gtest/gtest.h>

namespace kore::report {
namespace {

TEST(Chart, IsAsWideAsItsPlace) {
  const Json chart = layered(Json::array({{{"x", 1}}}), {layer("point", {{"x", linear("x", "size")}})});
  EXPECT_EQ(chart["width"], "container");
  EXPECT_EQ(chart["data"]["values"].size(), 1U);
  EXPECT_EQ(chart["layer"][0]["encoding"]["x"]["title"], "size");
}

TEST(Chart, LabelsALogarithmicAxisWhereAsked) {
  const Json axis = logarithmic("n", "rows", {300, 600});
  EXPECT_EQ(axis["scale"]["type"], "log");
  EXPECT_EQ(axis["axis"]["values"], Json({300, 600}));
  EXPECT_FALSE(logarithmic("n", "rows")["axis"].contains("values"));
}

TEST(Chart, GivesEverySeriesAColourAndAShape) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(colours("s", "", names)["scale"]["range"].size(), 3U);
  EXPECT_EQ(shapes("s", "", names)["scale"]["range"].size(), 3U);
  EXPECT_EQ(colours("s", "", names)["scale"]["domain"], Json(names));
  EXPECT_TRUE(colours("s", "", names)["title"].is_null()) << "no title, rather than the field's name";
}

TEST(Stems, BeginAtTheReferenceAndSayTheirNumber) {
  const Json rows = Json::array({{{"task", "one"}, {"ratio", 0.9}}, {{"task", "two"}, {"ratio", 1.1}}});
  const Json chart = stems(rows, {"task", "ratio", "RMSE ratio", 1});
  EXPECT_EQ(chart["layer"][1]["encoding"]["x2"]["datum"], 1);
  EXPECT_EQ(chart["layer"][2]["encoding"]["y"]["sort"], nullptr) << "in the order of the rows";
  EXPECT_EQ(chart["layer"][3]["encoding"]["text"]["format"], ".3f");
  EXPECT_EQ(stems(Json::array({rows[0]}), {"task", "ratio", "RMSE ratio", 1})["height"].get<int>() * 2,
            chart["height"].get<int>());
  EXPECT_EQ(chart["layer"][1]["encoding"]["x"]["scale"].count("type"), 0U);
  EXPECT_EQ(stems(rows, {"task", "ratio", "", 1, ".1f", true})["layer"][1]["encoding"]["x"]["scale"]["type"],
            "log");
}

}  // namespace
}  // namespace kore::report
