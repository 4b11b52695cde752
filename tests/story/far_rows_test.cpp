// New rows far from those of training are counted, and the worst column is named.
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

TEST(FarRows, NamesTheColumnWithMostRowsAndTheFurthestValue) {
  const table::TableModel model = fitted();
  FarRows far(model);
  EXPECT_EQ(far.warning(), "");
  far.add(MatrixView::row_major(std::array{0.5, 5.0, 1.09, 10.9}, 2, 2));  // within a tenth of the range
  EXPECT_EQ(far.warning(), "");
  far.add(MatrixView::row_major(std::array{3.0, 5.0, 0.5, 31.0}, 2, 2));
  far.add(MatrixView::row_major(std::array{-1.0, 20.0, 0.5, 12.0}, 2, 2));
  EXPECT_EQ(
      far.warning(),
      "4 rows lie far outside the range of training, where predictions are guesses. The worst column is "
      "'day': 3 rows, the furthest at 1970-02-01, where training had 1970-01-01 to 1970-01-11.");
}

TEST(FarRows, OfEquallyManyRowsTheFurtherColumnIsWorse) {
  const table::TableModel model = fitted();
  FarRows far(model);
  far.add(MatrixView::row_major(std::array{3.0, 12.0}, 1, 2));
  EXPECT_EQ(
      far.warning(),
      "1 row lies far outside the range of training, where predictions are guesses. The worst column is "
      "'a': 1 row, the furthest at 3, where training had 0 to 1.");
}

}  // namespace
}  // namespace kore::story
