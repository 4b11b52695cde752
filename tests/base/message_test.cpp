#include "kore/message.hpp"

#include <gtest/gtest.h>

#include "kore/error.hpp"

namespace kore {
namespace {

const Message unknown_column("unknown_column", "There is no column '{name}' among the {count} columns.",
                             {{"name", "pirce"}, {"count", 12}, {"share", 0.25}});

TEST(Message, FillsItsArgumentsIntoItsPattern) {
  EXPECT_EQ(unknown_column.sentence(), "There is no column 'pirce' among the 12 columns.");
  EXPECT_EQ(unknown_column.reason(), "unknown_column");
}

TEST(Message, GivesItsArgumentsByName) {
  EXPECT_EQ(unknown_column.argument("name"), "pirce");
  EXPECT_EQ(unknown_column.argument("share"), "0.25");
  EXPECT_EQ(unknown_column.argument("price"), "");
}

TEST(Message, CanBeWordedByAFront) {
  EXPECT_EQ(unknown_column.fill("Leave out --drop {name}; {count}."), "Leave out --drop pirce; 12.");
}

TEST(Message, LeavesBracesAloneThatAreNoArguments) {
  EXPECT_EQ(unknown_column.fill("{a: 1} {} {name} {"), "{a: 1} {} pirce {");
}

TEST(Message, TakesArgumentsAsTheyAreEvenWhereTheyLookLikePlaces) {
  const Message odd("odd", "{a} {b}", {{"a", "{b}"}, {"b", "{"}});
  EXPECT_EQ(odd.sentence(), "{b} {");
}

TEST(Message, GetsFurtherArgumentsForTheWordsOfAFront) {
  const Message message("empty_column", "Column '{column}' is empty.", {{"column", "a b"}});
  const Message spelt = message.with({{"typed", "\"a b\""}});
  EXPECT_EQ(spelt.fill("Leave {column} out with --drop {typed}."), "Leave a b out with --drop \"a b\".");
  EXPECT_EQ(spelt.sentence(), message.sentence());
  EXPECT_EQ(spelt.reason(), message.reason());
}

TEST(Error, IsItsMessageAndACode) {
  const Error error(ErrorCode::invalid_data, "empty_column", "Column '{name}' is empty.", {{"name", "x"}});
  EXPECT_STREQ(error.what(), "Column 'x' is empty.");
  EXPECT_EQ(error.reason(), "empty_column");
  EXPECT_EQ(error.code(), ErrorCode::invalid_data);
}

}  // namespace
}  // namespace kore
