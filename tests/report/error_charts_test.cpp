#include "report/error_charts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kore::report {
namespace {

TEST(QuantileChart, OfNormalErrorsLiesOnItsLine) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal(2, 3);
  std::vector<double> errors(40'001);
  for (double& e : errors) e = normal(engine);
  std::ranges::sort(errors);
  const Json rows = quantile_chart(errors)["data"]["values"];
  ASSERT_EQ(rows.size(), errors.size());
  for (std::size_t i = 400; i + 400 < rows.size(); i += 400)
    EXPECT_NEAR(rows[i]["normal"].get<double>(), rows[i]["error"].get<double>(), 0.2);
}

TEST(CoverageChart, HasAnIntervalThatShrinksWithTheRows) {
  const Json rows =
      coverage_chart({{0, 20, 0, 1, 0.9}, {1, 2000, 0, 1, 0.9}, {2, 0, 0, 0, 0}}, "y")["data"]["values"];
  ASSERT_EQ(rows.size(), 2U) << "nothing where there are no rows";
  const auto width = [&](std::size_t i) {
    return rows[i]["upper"].get<double>() - rows[i]["lower"].get<double>();
  };
  EXPECT_GT(width(0), 5 * width(1));
  EXPECT_LE(rows[0]["upper"].get<double>(), 1);
}

TEST(ErrorsByFeature, AreShownAtYearsWithoutCommasAndAtWholeNumbers) {
  const std::vector<ErrorBin> bins{{1998, 9, 1, 3, 1}, {1999, 4, -1, 2, 1}};
  EXPECT_EQ(errors_by_feature_chart(
                bins, {"year", Units::numbers, {}, true})["layer"][1]["encoding"]["x"]["axis"]["format"],
            "d");
  const Json axis = errors_by_feature_chart(
      {{0, 9, 1, 3, 1}, {1, 4, -1, 2, 1}},
      {"urban", Units::numbers, {}, false, {0, 1}})["layer"][1]["encoding"]["x"]["axis"];
  EXPECT_EQ(axis["values"], (Json{0, 1}));
}

TEST(ErrorsByFeature, AreShownAtLevelsByName) {
  const Json rows = errors_by_feature_chart({{0, 9, 1, 3, 1}, {1, 4, -1, 2, 1}},
                                            {"town", Units::numbers, {"Aachen", "Bonn"}})["data"]["values"];
  EXPECT_EQ(rows[1]["level"], "Bonn");
  EXPECT_NEAR(rows[0]["upper"].get<double>(), 1 + 1.95996 * 3 / 3, 1e-3);
}

TEST(ErrorsByFeature, KeepLongNamesApart) {
  const std::string same(70, 'a');
  const Json rows =
      errors_by_feature_chart({{0, 9, 1, 3, 1}, {1, 4, -1, 2, 1}},
                              {"town", Units::numbers, {same + " one", same + " two"}})["data"]["values"];
  EXPECT_NE(rows[0]["level"], rows[1]["level"]);
}

}  // namespace
}  // namespace kore::report
