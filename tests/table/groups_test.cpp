// One rule for the groups of rows, wherever a table is read.
#include "table/groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace kore::table {
namespace {

TEST(Groups, OfTextsThatAreNumbersAreTheseNumbers) {
  EXPECT_EQ(group_of_text("7"), 7);
  EXPECT_EQ(group_of_text("7.0"), 7);
  EXPECT_EQ(group_of_text("-2.5e3"), -2500);
  EXPECT_NE(group_of_text("007"), 7) << "a code";
  EXPECT_NE(group_of_text("007"), group_of_text("07"));
}

TEST(Groups, OfLongNumbersAreToldApart) {
  EXPECT_NE(group_of_text("1700000000000000001"), group_of_text("1700000000000000002"));
  EXPECT_EQ(group_of_text("9007199254740991"), 9007199254740991.0) << "a double holds it";
}

TEST(Groups, OfTextsAreFarApartAndExact) {
  std::set<double> seen;
  for (int i = 0; i < 20'000; ++i) seen.insert(group_of_text("patient " + std::to_string(i)));
  EXPECT_EQ(seen.size(), 20'000U);
  for (const double group : seen) {
    EXPECT_EQ(group, std::trunc(group));
    EXPECT_LE(group, -0x1p52);
    EXPECT_GE(group, -0x1p53);
  }
  EXPECT_NE(group_of_text(""), group_of_text(" "));
}

TEST(Groups, OfAColumnAreThoseOfItsValues) {
  TextPool pool;
  for (const char* text : {"a", "b", "a", "12"}) pool.add(text);
  pool.add_missing();
  const std::vector<double> groups = groups_of(TextPool::finish(std::move(pool), "shop"), 5);
  EXPECT_EQ(groups[0], groups[2]);
  EXPECT_EQ(groups[0], group_of_text("a"));
  EXPECT_EQ(groups[3], 12);
  EXPECT_TRUE(std::isnan(groups[4]));
  const Column numbers = owned_numbers("shop", ColumnType::number, {3, -0.0, 12, std::nan("")});
  const std::vector<double> own = groups_of(numbers, 4);
  EXPECT_EQ(own[2], groups[3]);
  EXPECT_FALSE(std::signbit(own[1]));
  EXPECT_TRUE(std::isnan(own[3]));
}

}  // namespace
}  // namespace kore::table
