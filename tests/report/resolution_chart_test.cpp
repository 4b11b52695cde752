#include "report/resolution_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kore::report {
namespace {

/// Pilots at 1 and 15, the certificate from 1 to 6 around 3.2, and the choice at 4.
SolvedResolution made_up() {
  SolvedResolution solved;
  solved.size = {3, {1}};
  solved.n = 200;
  Selection& selection = solved.selection;
  selection.law = {0.0016, 7e-5};
  selection.plug_in = optimal_resolution(selection.law, solved.size, 200, 4, 1, 20);
  selection.resolution = 4;
  selection.pilots = {1, 15};
  selection.certificate = {1, 2, 3, 4, 5, 6};
  for (const int g : {1, 2, 3, 4, 5, 6, 15})
    selection.curve[g] = {static_cast<std::size_t>(g + 3), 1e-4 / g, 0, 0};
  return solved;
}

std::map<std::string, int> roles(const Json& chart) {
  std::map<std::string, int> count;
  for (const Json& row : chart["data"]["values"]) ++count[row["role"].get<std::string>()];
  return count;
}

TEST(MeasuredChart, ShowsWhatEveryFitWasFor) {
  EXPECT_EQ(roles(measured_chart(made_up())),
            (std::map<std::string, int>{{"chosen", 1}, {"certificate", 4}, {"pilot", 2}}));
}

TEST(MeasuredChart, TellsTheBridgeFromTheCertificate) {
  SolvedResolution solved = made_up();
  solved.selection.curve[10] = {13, 2e-5, 0, 0};
  const Json chart = measured_chart(solved);
  EXPECT_EQ(roles(chart).at("gap bridge"), 1);
  const Json series = chart["layer"].back()["encoding"]["color"]["scale"];
  EXPECT_EQ(series["domain"], Json({"chosen", "pilot", "certificate", "gap bridge"})) << "those that occur";
  EXPECT_EQ(series["domain"].size(), series["range"].size());
}

TEST(MeasuredChart, AddsWhatASearchWouldHaveMeasuredBesides) {
  SolvedResolution solved = made_up();
  solved.others = {{4, 1e-4}, {7, 2e-4}, {20, 3e-4}};
  EXPECT_EQ(roles(measured_chart(solved)).at("not needed"), 2) << "4 was fitted anyway";
}

TEST(MeasuredChart, HasNoCurveWithoutALawAndNoPointWithoutAFiniteError) {
  SolvedResolution solved = made_up();
  solved.selection.law = {};
  solved.selection.curve[15].loo = std::numeric_limits<double>::infinity();
  const Json chart = measured_chart(solved);
  EXPECT_EQ(chart["layer"].size(), 1U);
  EXPECT_EQ(chart["data"]["values"].size(), 6U);
}

TEST(MeasuredChart, WritesSmallErrorsAsPowersOfTen) {
  SolvedResolution solved = made_up();
  const auto format = [&] {
    return measured_chart(solved)["layer"].back()["encoding"]["y"]["axis"]["format"].get<std::string>();
  };
  EXPECT_EQ(format(), "~e");
  for (auto& [g, score] : solved.selection.curve) score.loo *= 1e6;
  EXPECT_EQ(format(), ",.3~r");
}

TEST(LawChart, AddsBiasAndVarianceToASumWithItsMinimumAtThePlugIn) {
  const SolvedResolution solved = made_up();
  const Json chart = law_chart(solved);
  std::map<double, std::map<std::string, double>> parts;
  for (const Json& row : chart["data"]["values"]) parts[row["G"]][row["part"]] = row["error"];
  double best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (auto& [g, part] : parts) {
    EXPECT_DOUBLE_EQ(part["sum"], part["squared bias"] + part["variance"]);
    if (part["sum"] < least) {
      least = part["sum"];
      best = g;
    }
  }
  EXPECT_NEAR(best, solved.selection.plug_in, 0.1);
  EXPECT_EQ(chart["layer"][0]["encoding"]["y"]["scale"]["type"], "log");
}

}  // namespace
}  // namespace kore::report
