#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "kore/encoding.hpp"

namespace kore::table::testing {

/// Two summaries of a column say the same; the order of levels does not matter.
inline void expect_same(ColumnSummary a, ColumnSummary b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.minimum, b.minimum);
  EXPECT_EQ(a.maximum, b.maximum);
  EXPECT_EQ(a.median, b.median);
  EXPECT_EQ(a.two_values, b.two_values);
  EXPECT_EQ(a.whole, b.whole);
  EXPECT_EQ(a.distinct, b.distinct);
  for (ColumnSummary* summary : {&a, &b}) std::ranges::sort(summary->levels, {}, &Level::value);
  EXPECT_EQ(a.levels, b.levels);
}

/// A column of texts with the given levels.
inline ColumnSummary category(const std::string& name, std::vector<Level> levels, std::uint64_t missing = 0) {
  ColumnSummary column;
  column.name = name;
  column.type = ColumnType::text;
  column.missing = missing;
  column.rows = missing;
  for (const Level& level : levels) column.rows += level.rows;
  column.distinct = levels.size();
  column.levels = std::move(levels);
  return column;
}

}  // namespace kore::table::testing
