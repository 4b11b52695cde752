#include "story/column_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore::story {
namespace {

table::EncodedColumn times() {
  table::EncodedColumn column;
  column.type = table::ColumnType::timestamp;
  return column;
}

TEST(ColumnText, OfATimeIsTheMinuteThatItIs) {
  // Every minute of a day, as tables are read: seconds since 1970 over those of a day.
  for (int minute = 0; minute < 24 * 60; ++minute) {
    const double days = (14'610.0 * 86'400 + minute * 60) / 86'400;
    char expected[32];
    std::snprintf(expected, sizeof expected, "2010-01-01 %02d:%02d", minute / 60, minute % 60);
    ASSERT_EQ(column_text(times(), days), expected);
  }
}

TEST(ColumnText, OfTheLastSecondOfAMinuteIsThatMinute) {
  EXPECT_EQ(column_text(times(), (14'610.0 * 86'400 + 86'399.7) / 86'400), "2010-01-01 23:59");
  EXPECT_EQ(column_text(times(), (14'610.0 * 86'400 + 12 * 3600 + 59.999) / 86'400), "2010-01-01 12:00");
}

TEST(ColumnText, OfATimeBefore1970IsItsDayToo) {
  EXPECT_EQ(column_text(times(), -0.25), "1969-12-31 18:00");
  EXPECT_EQ(column_text(times(), -1), "1969-12-31 00:00");
}

TEST(ColumnText, OfWhatIsNoDateAnyMoreIsANumber) {
  EXPECT_NE(column_text(times(), 1e300).find("days"), std::string::npos);
}

TEST(ColumnText, OfATruthValueIsTheWordOfItsTable) {
  table::EncodedColumn column;
  column.name = "smoker";
  column.type = table::ColumnType::boolean;
  table::TableModel fitted{fit(test::made_up_rows(60, 1, 51, 0.2).source()), {}, {}};
  EXPECT_EQ(column_text(fitted, column, 1), "true");
  fitted.facts.words = {{"smoker", "no", "yes"}};
  EXPECT_EQ(column_text(fitted, column, 1), "yes");
  EXPECT_EQ(column_text(fitted, column, 0), "no");
}

}  // namespace
}  // namespace kore::story
