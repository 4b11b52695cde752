// New rows outside the range of training are counted by column.
#include "story/far_rows.hpp"

#include <gtest/gtest.h>

#include <array>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore::story {
namespace {

/// Two columns from 0 to 1, the second a date.
table::TableModel fitted() {
  test::Rows rows = test::made_up_rows(100, 2, 41);
  for (std::size_t j = 0; j < 2; ++j) {
    rows.x[j * rows.count] = 0;
    rows.x[j * rows.count + 1] = 1;
  }
  Options options;
  options.ranges = {{0, 1}, {0, 10}};
  table::TableModel model{fit(rows.view(), rows.y, options, {{"a", "day"}, "y"}), {}, {}};
  model.encoding.columns.resize(2);
  model.encoding.columns[1].type = table::ColumnType::date;
  model.encoding.features = {{"a", table::EncodedKind::numeric, 0, 0},
                             {"day", table::EncodedKind::numeric, 1, 0}};
  return model;
}

TEST(FarRows, AreCountedByColumnWithTheFurthestValue) {
  const table::TableModel model = fitted();
  FarRows far(model);
  EXPECT_EQ(far.warning(), "");
  far.add(MatrixView::row_major(std::array{0.5, 5.0, 1.09, 10.9}, 2, 2));  // within a tenth of the range
  EXPECT_EQ(far.warning(), "") << "new rows nearly always lie a little outside";
  far.add(MatrixView::row_major(std::array{3.0, 5.0, 0.5, 31.0}, 2, 2));
  far.add(MatrixView::row_major(std::array{-1.0, 20.0, 0.5, 12.0}, 2, 2));
  EXPECT_EQ(far.warning(),
            "5 rows lie outside the training range, where predictions are guesses: 4 in 'day' (training had "
            "1970-01-01 to 1970-01-11, the furthest row has 1970-02-01), 3 in 'a' (training had 0 to 1, the "
            "furthest row has 3).");
}

TEST(FarRows, OfEquallyManyRowsTheFurtherColumnComesFirst) {
  const table::TableModel model = fitted();
  FarRows far(model);
  far.add(MatrixView::row_major(std::array{3.0, 12.0}, 1, 2));
  EXPECT_EQ(
      far.warning(),
      "1 row lies outside the training range, where predictions are guesses: 1 in 'a' (training had 0 to 1, "
      "the furthest row has 3), 1 in 'day' (training had 1970-01-01 to 1970-01-11, the furthest row has "
      "1970-01-13).");
}

}  // namespace
}  // namespace kore::story
