#include <gtest/gtest.h>

#include <limits>

#include "kore/statistics.hpp"
#include "support/made_up_rows.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RangeAccumulator ranges_of(const Rows& rows, std::vector<std::string> names = {}) {
  RangeAccumulator ranges(rows.columns, std::move(names));
  ranges.add(rows.block());
  return ranges;
}

void expect_equal(const Range& ours, const Range& theirs) {
  EXPECT_EQ(ours.lowest, theirs.lowest);
  EXPECT_EQ(ours.highest, theirs.highest);
}

void expect_equal(const RangeAccumulator& ours, const RangeAccumulator& theirs) {
  EXPECT_EQ(ours.rows(), theirs.rows());
  EXPECT_NEAR(ours.weight_sum(), theirs.weight_sum(), 1e-12);
  expect_equal(ours.target(), theirs.target());
  EXPECT_NEAR(ours.target_mean(), theirs.target_mean(), 1e-13);
  EXPECT_NEAR(ours.target_variance(), theirs.target_variance(), 1e-13);
  ASSERT_EQ(ours.ranges().size(), theirs.ranges().size());
  for (std::size_t j = 0; j < ours.ranges().size(); ++j) expect_equal(ours.ranges()[j], theirs.ranges()[j]);
}

/// Three rows and two columns with one value replaced.
Rows small_table() { return {3, 2, {1, -2, 3, 40, 50, 60}, {7, 9, 8}, {1, 1, 1}}; }

TEST(Ranges, AreTheSmallestAndLargestValues) {
  const RangeAccumulator ranges = ranges_of(small_table());
  EXPECT_EQ(ranges.rows(), 3U);
  EXPECT_EQ(ranges.weight_sum(), 3);
  expect_equal(ranges.ranges()[0], {-2, 3});
  expect_equal(ranges.ranges()[1], {40, 60});
  expect_equal(ranges.target(), {7, 9});
}

TEST(Ranges, PassOverRowsOfZeroWeight) {
  Rows rows = small_table();
  rows.weights = {0.5, 0, 2};
  const RangeAccumulator ranges = ranges_of(rows);
  EXPECT_EQ(ranges.rows(), 3U);
  EXPECT_EQ(ranges.weight_sum(), 2.5);
  expect_equal(ranges.ranges()[0], {1, 3});
  expect_equal(ranges.ranges()[1], {40, 60});
  expect_equal(ranges.target(), {7, 8});
}

TEST(Ranges, CountEveryRowOnceWithoutWeights) {
  Rows rows = small_table();
  rows.weights.clear();
  EXPECT_EQ(ranges_of(rows).weight_sum(), 3);
}

TEST(Ranges, TellMeanAndVarianceOfTheTarget) {
  Rows rows = small_table();
  EXPECT_NEAR(ranges_of(rows).target_mean(), 8, 1e-15);
  EXPECT_NEAR(ranges_of(rows).target_variance(), 2.0 / 3, 1e-15);
  rows.weights = {0.5, 0, 1.5};
  EXPECT_NEAR(ranges_of(rows).target_mean(), 7.75, 1e-15);
  EXPECT_NEAR(ranges_of(rows).target_variance(), 0.1875, 1e-15);
}

TEST(Ranges, TellTheVarianceOfATargetFarFromZero) {
  Rows rows = made_up_rows(1000, 1, 45);
  const double plain = ranges_of(rows).target_variance();
  for (double& y : rows.y) y += 1e8;
  RangeAccumulator merged(1);
  for (const std::size_t first : {0U, 250U, 500U, 750U}) merged.merge(ranges_of(rows.slice(first, 250)));
  EXPECT_NEAR(ranges_of(rows).target_variance() / plain, 1, 1e-7);
  EXPECT_NEAR(merged.target_variance() / plain, 1, 1e-7);
  EXPECT_NEAR(merged.target_mean() - 1e8, ranges_of(made_up_rows(1000, 1, 45)).target_mean(), 1e-7);
}

TEST(Ranges, OfAnyPartitionMergeIntoThoseOfAllRows) {
  Rows rows = made_up_rows(500, 3, 41);
  rows.weights = test::uneven_weights(rows.count, 42);
  const RangeAccumulator whole = ranges_of(rows);
  RangeAccumulator merged(rows.columns);
  std::size_t first = 0;
  for (const std::size_t length : {0U, 1U, 250U, 49U, 200U}) {
    merged.merge(ranges_of(rows.slice(first, length)));
    first += length;
  }
  expect_equal(merged, whole);
}

TEST(Ranges, ComeBackFromBytesWithTheirNames) {
  const Rows rows = made_up_rows(50, 2, 43);
  const RangeAccumulator ranges = ranges_of(rows, {"height", "age"});
  RangeAccumulator back = RangeAccumulator::deserialize(ranges.serialize());
  expect_equal(back, ranges);
  EXPECT_EQ(back.serialize(), ranges.serialize());
  Rows broken = small_table();
  broken.x[4] = nan;
  EXPECT_EQ(
      refusal(ErrorCode::invalid_data, [&] { back.add(broken.block()); }),
      "In the column 'age', row 51 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
}

TEST(Ranges, OfNothingMergeFromBytes) {
  const Rows rows = made_up_rows(50, 2, 44);
  RangeAccumulator merged = RangeAccumulator::deserialize(RangeAccumulator(2).serialize());
  merged.merge(ranges_of(rows));
  expect_equal(merged, ranges_of(rows));
}

TEST(Ranges, RefuseBytesThatAreNotTheirs) {
  auto bytes = ranges_of(small_table()).serialize();
  bytes[20] ^= std::byte{4};
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { RangeAccumulator::deserialize(bytes); }),
            "The KORE range accumulator is damaged: its checksum does not match.");
}

TEST(Ranges, RefuseValuesThatAreNotFinite) {
  const auto refused = [](double value, std::vector<std::string> names = {}) {
    Rows rows = small_table();
    rows.at(2, 1) = value;
    return refusal(ErrorCode::invalid_data, [&] { ranges_of(rows, std::move(names)); });
  };
  EXPECT_EQ(refused(nan),
            "In column 1, row 2 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
  EXPECT_EQ(refused(nan, {"x", "temperature"}),
            "In the column 'temperature', row 2 (counted from 0): the value is missing (NaN). Impute it or "
            "drop the "
            "row.");
  EXPECT_EQ(refused(infinity),
            "In column 1, row 2 (counted from 0): the value is infinite. Only finite numbers can be used.");
  EXPECT_EQ(refused(-infinity, {"x", ""}),
            "In column 1, row 2 (counted from 0): the value is infinite. Only finite numbers can be used.");
  for (const double huge : {1e301, -1e301})
    EXPECT_EQ(refused(huge),
              "In column 1, row 2 (counted from 0): the value is larger than 1e300 in magnitude. Rescale the "
              "column.");
}

TEST(Ranges, RefuseTargetsThatAreNotFinite) {
  const auto refused = [](double value) {
    Rows rows = small_table();
    rows.y[1] = value;
    return refusal(ErrorCode::invalid_data, [&] { ranges_of(rows); });
  };
  EXPECT_EQ(refused(nan),
            "In the target, row 1 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
  EXPECT_EQ(refused(infinity),
            "In the target, row 1 (counted from 0): the value is infinite. Only finite numbers can be used.");
  EXPECT_EQ(refused(-1e301),
            "In the target, row 1 (counted from 0): the value is larger than 1e300 in magnitude. Rescale the "
            "column.");
}

TEST(Ranges, RefuseWeightsThatAreNotFiniteOrNegative) {
  const auto refused = [](double value) {
    Rows rows = small_table();
    rows.weights[0] = value;
    return refusal(ErrorCode::invalid_data, [&] { ranges_of(rows); });
  };
  EXPECT_EQ(refused(nan),
            "In the weights, row 0 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
  EXPECT_EQ(
      refused(infinity),
      "In the weights, row 0 (counted from 0): the value is infinite. Only finite numbers can be used.");
  EXPECT_EQ(refused(1e301),
            "In the weights, row 0 (counted from 0): the value is larger than 1e300 in magnitude. Rescale "
            "the column.");
  EXPECT_EQ(
      refused(-1e-9),
      "In the weights, row 0 (counted from 0): the weight is negative. Weights must be zero or positive.");
}

TEST(Ranges, RefuseWhatIsNotFiniteEvenAtZeroWeight) {
  Rows rows = small_table();
  rows.weights[2] = 0;
  rows.at(2, 0) = nan;
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { ranges_of(rows); }),
            "In column 0, row 2 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
}

TEST(Ranges, CountRowsOverAllBlocksInTheirMessages) {
  RangeAccumulator ranges(2);
  ranges.add(small_table().block());
  Rows broken = small_table();
  broken.at(1, 0) = nan;
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { ranges.add(broken.block()); }),
            "In column 0, row 4 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
}

TEST(Ranges, AcceptTheLargestUsableValue) {
  Rows rows = small_table();
  rows.at(0, 0) = 1e300;
  rows.at(1, 0) = -1e300;
  expect_equal(ranges_of(rows).ranges()[0], {-1e300, 1e300});
}

TEST(Ranges, RefuseAnotherNumberOfColumns) {
  RangeAccumulator ranges(3);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { ranges.add(small_table().block()); }),
            "A block of rows has 2 columns, but 3 were expected.");
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { ranges.merge(RangeAccumulator(2)); }),
            "Only range accumulators of the same number of columns can be merged.");
}

TEST(Ranges, OfNoRowsAreRefused) {
  RangeAccumulator ranges(2);
  ranges.add(made_up_rows(0, 2, 1).block());
  EXPECT_EQ(refusal(ErrorCode::too_few_rows, [&] { ranges.ranges(); }), "The data have no rows.");
}

TEST(Ranges, OfRowsWithoutWeightAreRefused) {
  Rows rows = small_table();
  rows.weights = {0, 0, 0};
  const RangeAccumulator ranges = ranges_of(rows);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { ranges.ranges(); }),
            "All weights are zero: there is nothing to fit.");
}

}  // namespace
}  // namespace kore
