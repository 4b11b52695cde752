#include "table/level_limits.hpp"

#include <gtest/gtest.h>

#include "table/summaries.hpp"

namespace kore::table {
namespace {

using testing::category;
using Limits = std::vector<std::size_t>;

/// So many levels, each in so many rows.
ColumnSummary even(const std::string& name, int levels, std::uint64_t rows) {
  std::vector<Level> all;
  for (int i = 0; i < levels; ++i) all.push_back({name + std::to_string(i), rows});
  return category(name, all);
}

TEST(LevelLimits, AreWhatTheUserSays) {
  EncodingOptions options;
  options.max_levels = 7;
  EXPECT_EQ(level_limits(std::vector{even("a", 300, 9), ColumnSummary{}}, options), (Limits{7, 0}));
}

TEST(LevelLimits, KeepEveryLevelThatHasThreeRows) {
  EXPECT_EQ(level_limits(std::vector{even("a", 300, 3)}, {}), Limits{300});
  EXPECT_EQ(level_limits(std::vector{even("a", 300, 2)}, {}), Limits{50});
  ColumnSummary mixed = even("a", 100, 2);
  for (int i = 0; i < 60; ++i) mixed.levels.push_back({"often" + std::to_string(i), 5});
  EXPECT_EQ(level_limits(std::vector{mixed}, {}), Limits{60});
}

TEST(LevelLimits, GiveTheMostFrequentLevelsOfAllColumnsAnEffectWhereTheyAreTooMany) {
  EncodingOptions options;
  options.most_levels = 200;
  // Fifty of each are kept in any case; a hundred places are left.
  EXPECT_EQ(level_limits(std::vector{even("a", 90, 4), even("b", 90, 4)}, options), (Limits{90, 90}));
  EXPECT_EQ(level_limits(std::vector{even("a", 400, 4), even("b", 120, 5)}, options), (Limits{80, 120}));
  options.most_levels = 60;
  EXPECT_EQ(level_limits(std::vector{even("a", 400, 4), even("b", 120, 5)}, options), (Limits{50, 50}));
}

}  // namespace
}  // namespace kore::table
