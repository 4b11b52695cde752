#include "kore/rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kore/error.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::refusal;

// The same table of three rows and two columns in three arrangements.
const std::vector<double> by_rows{1, 10, 2, 20, 3, 30};
const std::vector<double> by_columns{1, 2, 3, 10, 20, 30};
const std::vector<double> first_column{1, 2, 3};
const std::vector<double> second_column{10, 20, 30};

MatrixView separate_columns() { return {{{first_column.data(), 1}, {second_column.data(), 1}}, 3}; }

void expect_the_table(const MatrixView& view) {
  ASSERT_EQ(view.rows(), 3u);
  ASSERT_EQ(view.columns(), 2u);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(view(r, 0), static_cast<double>(r + 1));
    EXPECT_EQ(view(r, 1), static_cast<double>(10 * (r + 1)));
    EXPECT_EQ(view.column(1)[r], view(r, 1));
  }
}

TEST(MatrixView, ShowsTheSameNumbersWhateverTheirArrangement) {
  expect_the_table(MatrixView::row_major(by_rows, 3, 2));
  expect_the_table(MatrixView::column_major(by_columns, 3, 2));
  expect_the_table(separate_columns());
}

TEST(MatrixView, PointsIntoTheMemoryOfItsOwner) {
  const auto rows = MatrixView::row_major(by_rows, 3, 2);
  EXPECT_EQ(rows.column(0).data, by_rows.data());
  EXPECT_EQ(rows.column(1).data, by_rows.data() + 1);
  EXPECT_EQ(rows.column(0).stride, 2);
  const auto columns = MatrixView::column_major(by_columns, 3, 2);
  EXPECT_EQ(columns.column(0).data, by_columns.data());
  EXPECT_EQ(columns.column(1).data, by_columns.data() + 3);
  EXPECT_EQ(columns.column(1).stride, 1);
  EXPECT_EQ(separate_columns().column(1).data, second_column.data());
}

TEST(MatrixView, SeesALaterChangeOfItsOwner) {
  std::vector<double> values = by_rows;
  const auto view = MatrixView::row_major(values, 3, 2);
  values[3] = -7;
  EXPECT_EQ(view(1, 1), -7);
}

TEST(MatrixView, ReadsBackwardsWithANegativeStride) {
  const MatrixView reversed({{first_column.data() + 2, -1}}, 3);
  EXPECT_EQ(reversed(0, 0), 3);
  EXPECT_EQ(reversed(2, 0), 1);
}

TEST(MatrixView, RefusesAnotherNumberOfValues) {
  const char* sentence = "A table of 4 rows and 2 columns needs 8 numbers, but 6 were given.";
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [] { MatrixView::row_major(by_rows, 4, 2); }), sentence);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [] { MatrixView::column_major(by_rows, 4, 2); }), sentence);
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [] { MatrixView::row_major({}, 1, 1); }),
            "A table of 1 rows and 1 columns needs 1 numbers, but 0 were given.");
}

TEST(MatrixView, MayBeEmpty) {
  EXPECT_EQ(MatrixView::row_major({}, 0, 2).columns(), 2u);
  EXPECT_EQ(MatrixView::column_major({}, 0, 2).rows(), 0u);
  EXPECT_EQ(MatrixView().columns(), 0u);
}

TEST(RowBlock, WeighsEveryRowOneUnlessToldOtherwise) {
  const RowBlock plain{separate_columns(), first_column, {}};
  const RowBlock weighted{separate_columns(), first_column, second_column};
  EXPECT_EQ(plain.rows(), 3u);
  EXPECT_EQ(plain.weight(2), 1);
  EXPECT_EQ(weighted.weight(2), 30);
}

TEST(MemorySource, VisitsItsArraysAsOneBlockWithoutACopy) {
  const MemorySource source(MatrixView::column_major(by_columns, 3, 2), first_column, second_column);
  EXPECT_TRUE(source.in_memory());
  EXPECT_EQ(source.columns(), 2u);
  for (int pass = 0; pass < 2; ++pass) {
    int blocks = 0;
    source.for_each_block([&](const RowBlock& block) {
      ++blocks;
      expect_the_table(block.x);
      EXPECT_EQ(block.x.column(0).data, by_columns.data());
      EXPECT_EQ(block.y.data(), first_column.data());
      EXPECT_EQ(block.weights.values().data(), second_column.data());
    });
    EXPECT_EQ(blocks, 1);
  }
}

TEST(MemorySource, RefusesMismatchedLengths) {
  const std::vector<double> two{1, 2};
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { MemorySource(separate_columns(), two); }),
            "The target has 2 values, but the features have 3 rows. Both must be equal.");
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { MemorySource(separate_columns(), first_column, two); }),
            "The weight column has 2 values, but the features have 3 rows. Both must be equal.");
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { MemorySource(separate_columns(), {}); }),
            "The target has 0 values, but the features have 3 rows. Both must be equal.");
}

}  // namespace
}  // namespace kore
