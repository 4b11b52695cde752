// How the default profile sees its features.
#include "grow/coordinates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/made_up_rows.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::Rows;

/// One column that takes `distinct` values in turn.
Rows column_of(std::size_t distinct, std::size_t count = 200) {
  Rows rows = made_up_rows(count, 1, 781);
  for (std::size_t r = 0; r < count; ++r) rows.at(r, 0) = 0.25 * static_cast<double>(r % distinct);
  return rows;
}

Coordinate coordinate_of(const Rows& rows, RangesOf ranges = RangesOf::rows) {
  return coordinates_of(rows.features(), rows.block(), ranges).front();
}

TEST(Coordinates, OfOneValueHaveNoEffect) {
  const Coordinate coordinate = coordinate_of(column_of(1));
  EXPECT_EQ(coordinate.finest, 0);
  EXPECT_TRUE(coordinate.feature.warp.identity());
}

TEST(Coordinates, OfTwoValuesAreLines) {
  const Coordinate coordinate = coordinate_of(column_of(2));
  EXPECT_EQ(coordinate.feature.kind, FeatureKind::linear);
  EXPECT_TRUE(coordinate.feature.warp.identity());
  EXPECT_EQ(coordinate.finest, 1);
}

TEST(Coordinates, HaveNoMoreIntervalsThanTheirValuesCanTellApart) {
  for (const std::size_t distinct : {3U, 4U, 5U, 9U, 50U}) {
    const Coordinate coordinate = coordinate_of(column_of(distinct));
    EXPECT_EQ(coordinate.feature.kind, FeatureKind::spline);
    EXPECT_EQ(coordinate.finest, static_cast<int>(distinct) - 2);
  }
  const std::vector<Coordinate> two{coordinate_of(column_of(5)), coordinate_of(column_of(50))};
  EXPECT_EQ(term_at(two, {0, 1}, 8).resolutions, (std::vector<int>{3, 8}));
  EXPECT_EQ(term_at(two, {1}, 2).resolutions, (std::vector<int>{2}));
  EXPECT_EQ(term_at(two, {0}, 0).resolutions, (std::vector<int>{1}));
}

TEST(Coordinates, LieHalfwayBetweenTheirRangeAndTheirDistribution) {
  Rows rows = made_up_rows(5000, 1, 782);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.at(r, 0) = std::pow(rows.at(r, 0), 3);  // P(x <= t) = t^(1/3)
  const Coordinate coordinate = coordinate_of(rows);
  for (const double t : {0.01, 0.1, 0.3, 0.7, 0.95})
    EXPECT_NEAR(coordinate.feature.warp(t), 0.5 * t + 0.5 * std::cbrt(t), 0.02);
  EXPECT_LE(coordinate.feature.warp.nodes.size(), 65U);
}

TEST(Coordinates, ReachTheEndsThatASampleHasMissed) {
  const Rows rows = made_up_rows(100, 1, 783);
  std::vector<Feature> features = rows.features();
  features[0].range = {-1, 3};
  const Warp warp = coordinates_of(features, rows.block())[0].feature.warp;
  EXPECT_EQ(warp.nodes.front(), -1);
  EXPECT_EQ(warp.nodes.back(), 3);
  EXPECT_EQ(warp(-1), 0);
  EXPECT_EQ(warp(3), 1);
  // All rows of a sample may have the same value; those at the ends are known to exist.
  const Rows same = column_of(1);
  features[0].range = {0, 3};
  EXPECT_EQ(coordinates_of(features, same.block())[0].feature.kind, FeatureKind::linear);
}

TEST(Coordinates, KeepTheirKnotsWhereRangesAreGiven) {
  const Coordinate coordinate = coordinate_of(made_up_rows(100, 1, 784), RangesOf::caller);
  EXPECT_TRUE(coordinate.feature.warp.identity());
  EXPECT_EQ(coordinate.feature.kind, FeatureKind::spline);
}

TEST(Coordinates, AreToldNothingAboutValuesByGivenRanges) {
  for (const std::size_t distinct : {1U, 2U, 3U, 9U}) {
    const Rows rows = column_of(distinct);
    std::vector<Feature> wider = rows.features();
    wider[0].range = {-1, 30};
    const Coordinate given = coordinates_of(wider, rows.block(), RangesOf::caller)[0];
    const Coordinate own = coordinate_of(rows);
    EXPECT_EQ(given.finest, own.finest) << distinct << " values";
    EXPECT_EQ(given.feature.kind, own.feature.kind) << distinct << " values";
    EXPECT_EQ(given.feature.range.highest, 30);
  }
}

TEST(Coordinates, OfCategoriesAndLinesStayWhatTheyAre) {
  const Rows rows = column_of(4);
  for (const FeatureKind kind : {FeatureKind::category, FeatureKind::linear}) {
    std::vector<Feature> features = rows.features();
    features[0].kind = kind;
    features[0].levels = 4;
    const Coordinate coordinate = coordinates_of(features, rows.block())[0];
    EXPECT_EQ(coordinate.feature.kind, kind);
    EXPECT_TRUE(coordinate.feature.warp.identity());
    EXPECT_GT(coordinate.finest, 0);
  }
}

TEST(Coordinates, OfCirclesKeepTheirPeriodAndTheirEvenKnots) {
  for (const std::size_t distinct : {1U, 2U, 4U, 24U}) {
    const Rows rows = column_of(distinct);
    std::vector<Feature> features = rows.features();
    features[0].range = {0, 0.25 * static_cast<double>(distinct)};
    features[0].cyclic = true;
    const Coordinate coordinate = coordinates_of(features, rows.block())[0];
    EXPECT_EQ(coordinate.feature.kind, FeatureKind::spline);
    EXPECT_TRUE(coordinate.feature.warp.identity());
    EXPECT_TRUE(coordinate.feature.repeated.empty()) << "single values would not meet";
    EXPECT_EQ(coordinate.finest, distinct == 1 ? 0 : std::max(3, static_cast<int>(distinct)))
        << "as many functions as values; the end of the period is none";
    EXPECT_EQ(coordinate.feature.range.highest, features[0].range.highest);
    EXPECT_EQ(term_at(std::vector{coordinate}, {0}, 1).resolutions[0], 3);
    Rows rounds = rows;
    for (std::size_t r = 0; r < rows.count; ++r)
      rounds.at(r, 0) += features[0].range.highest * static_cast<double>(r % 3);
    EXPECT_EQ(coordinates_of(features, rounds.block())[0].finest, coordinate.finest) << "of other rounds";
  }
}

TEST(Coordinates, GetNoFinerThanTheirOwnLimit) {
  const Rows rows = made_up_rows(100, 3, 786);
  const auto coordinates =
      coordinates_of(rows.features(), rows.block(), RangesOf::rows, 1, std::vector{0, 5, 90});
  EXPECT_EQ(coordinates[0].finest, 98);
  EXPECT_EQ(coordinates[1].finest, 5);
  EXPECT_EQ(coordinates[2].finest, 90);
}

TEST(Coordinates, CountWeightsAsRepeatedRowsAndZeroAsNone) {
  Rows rows = made_up_rows(300, 1, 785);
  std::vector<std::size_t> repeated;
  for (std::size_t r = 0; r < rows.count; ++r) {
    rows.weights.push_back(static_cast<double>(r % 3));
    for (std::size_t copy = 0; copy < r % 3; ++copy) repeated.push_back(r);
  }
  Rows expanded = rows.pick(repeated);
  expanded.weights.clear();
  const Coordinate weighted = coordinates_of(expanded.features(), rows.block())[0];
  const Coordinate plain = coordinate_of(expanded);
  EXPECT_EQ(weighted.finest, plain.finest);
  ASSERT_EQ(weighted.feature.warp.nodes, plain.feature.warp.nodes);
  for (std::size_t i = 0; i < plain.feature.warp.values.size(); ++i)
    EXPECT_NEAR(weighted.feature.warp.values[i], plain.feature.warp.values[i], 1e-12);
}

}  // namespace
}  // namespace kore
