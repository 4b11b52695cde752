#include "select/made_up_curve.hpp"

#include <gtest/gtest.h>

namespace kore {
namespace {

/// One cubic main effect and 1000 rows: pilots 1 and 15. With a LOO of 1 and 0.03 there, the law has its
/// optimum at 4.0 and the certificate is 1..7, so that the gap to bridge is 7..15 and its probe is 11.
const BasisCount line{3, {1}};
constexpr double rows = 1000;
constexpr double elsewhere = 0.5;

std::map<int, double> with_pilots(std::map<int, double> others) {
  others[1] = 1.0;
  others[15] = 0.03;
  return others;
}

TEST(GapBridge, FindsTheOptimumBetweenTheCertificateAndTheUpperPilot) {
  MadeUpCurve made_up(line, rows, with_pilots({{9, 0.012}, {10, 0.010}, {11, 0.011}, {12, 0.013}}),
                      elsewhere);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.certificate.back(), 7);
  EXPECT_TRUE(found.bridged);
  EXPECT_EQ(found.resolution, 10);
  EXPECT_EQ(found.loo, 0.010);
  // Pilots 1 and 15, certificate 2..7, probe 11, then 12, then 9 and 10.
  EXPECT_EQ(found.fits, 12);
  EXPECT_EQ(made_up.passes,
            (std::vector<std::vector<int>>{{1, 15}, {2, 3, 4, 5, 6, 7}, {11}, {12}, {9, 10}}));
}

TEST(GapBridge, FollowsACurveThatFallsTowardsTheUpperPilot) {
  MadeUpCurve made_up(line, rows, with_pilots({{11, 0.029}, {12, 0.028}, {13, 0.027}, {14, 0.026}}),
                      elsewhere);
  const Selection found = select_resolution(made_up.curve, {});
  // [7,15] -> [12,15]: 13 against 14 -> [14,15]: 14 wins.
  EXPECT_TRUE(found.bridged);
  EXPECT_EQ(found.resolution, 14);
}

TEST(GapBridge, TakesTheLowerHalfOnATieInTheMiddle) {
  MadeUpCurve made_up(line, rows, with_pilots({{9, 0.02}, {10, 0.02}, {11, 0.01}, {12, 0.01}}), elsewhere);
  const Selection found = select_resolution(made_up.curve, {});
  // 11 <= 12 -> [7,11]; 9 <= 10 -> [7,9]; 8 > 9 -> [9,9].
  EXPECT_EQ(found.resolution, 9);
  EXPECT_EQ(found.loo, 0.02);
  EXPECT_TRUE(found.bridged);
}

TEST(GapBridge, TakesTheLowerEndOnATieOfTheLastTwo) {
  MadeUpCurve made_up(line, rows, with_pilots({{9, 0.02}, {10, 0.01}, {11, 0.01}, {12, 0.02}}), elsewhere);
  // 11 <= 12 -> [7,11]; 9 > 10 -> [10,11], which tie.
  EXPECT_EQ(select_resolution(made_up.curve, {}).resolution, 10);
}

TEST(GapBridge, IsRefusedUnlessTheProbeIsClearlyBetter) {
  MadeUpCurve equal(line, rows, with_pilots({{11, 0.98 * 0.03}, {10, 0.001}}), elsewhere);
  const Selection refused = select_resolution(equal.curve, {});
  EXPECT_FALSE(refused.bridged);
  EXPECT_EQ(refused.resolution, 15);
  EXPECT_EQ(refused.fits, 9);  // the probe was paid for

  MadeUpCurve below(line, rows, with_pilots({{11, 0.979 * 0.03}, {10, 0.001}}), elsewhere);
  EXPECT_TRUE(select_resolution(below.curve, {}).bridged);
}

TEST(GapBridge, IsRefusedByAProbeThatIsNotANumber) {
  MadeUpCurve made_up(line, rows, with_pilots({{11, std::numeric_limits<double>::quiet_NaN()}}), elsewhere);
  EXPECT_EQ(select_resolution(made_up.curve, {}).resolution, 15);
}

TEST(GapBridge, KeepsThePilotIfTheSearchDoesNotBeatIt) {
  // Two valleys: the search loses the one of the probe and ends at 9, which is worse than the pilot.
  MadeUpCurve made_up(line, rows, with_pilots({{8, 0.06}, {9, 0.04}, {10, 0.05}, {11, 0.01}}), elsewhere);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_FALSE(found.bridged);
  EXPECT_EQ(found.resolution, 15);
  EXPECT_EQ(found.loo, 0.03);
  EXPECT_EQ(found.fits, 13);  // pilots 2, certificate 6, then 11, 12, 9, 10, 8
}

TEST(GapBridge, NeedsAResolutionBetweenTheCertificateAndThePilot) {
  SelectorOptions options;
  options.radius = 10;  // top = 14
  MadeUpCurve adjacent(line, rows, with_pilots({}), elsewhere);
  const Selection found = select_resolution(adjacent.curve, options);
  EXPECT_EQ(found.certificate.back(), 14);
  EXPECT_EQ(found.resolution, 15);
  EXPECT_EQ(found.fits, 15);

  options.radius = 9;  // top = 13, the probe is 14
  MadeUpCurve one_between(line, rows, with_pilots({{14, 0.01}}), elsewhere);
  const Selection bridged = select_resolution(one_between.curve, options);
  EXPECT_EQ(bridged.certificate.back(), 13);
  EXPECT_EQ(bridged.resolution, 14);
  EXPECT_TRUE(bridged.bridged);
}

TEST(GapBridge, IsNotTriedWhereTheCertificateBeatsThePilot) {
  MadeUpCurve made_up(line, rows, with_pilots({{6, 0.02}, {11, 0.001}}), elsewhere);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.resolution, 6);
  EXPECT_EQ(found.fits, 8);
}

TEST(GapBridge, IsNotTriedWhereTheLowerPilotIsBest) {
  MadeUpCurve made_up(line, rows, {{1, 0.02}, {15, 0.03}, {11, 0.001}}, elsewhere);
  const Selection found = select_resolution(made_up.curve, {});
  EXPECT_EQ(found.resolution, 1);
  EXPECT_FALSE(found.curve.contains(11));
}

}  // namespace
}  // namespace kore
